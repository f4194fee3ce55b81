import Lists

/// How a list is prefetched.
public struct PrefetchSettings: Sendable {
    public enum Progress: String, Sendable, CaseIterable {
        case auto, always, never, plain
    }

    public var library = LibrarySettings()
    /// List files, folders, URLs, or `-` for standard input.
    public var lists: [String] = []
    /// What relative locations in the lists start from; nil, the default, for each list's own folder.
    public var base: ListBase?
    /// Heads the progress; made from the lists when nil, the default.
    public var title: String?
    /// Fetches again what is cached.
    ///
    /// Off by default.
    public var refreshes = false
    public var printsJSON = false
    public var progress = Progress.auto
    public var isQuiet = false
    /// Where the failed ones are written as a list, the reason as a comment.
    public var failedFile: String?

    public init() {}
}
