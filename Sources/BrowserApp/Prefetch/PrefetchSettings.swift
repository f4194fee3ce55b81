import ImageLoading
import Lists

/// The settings of a prefetch.
public struct PrefetchSettings: Sendable {
    public enum Progress: String, Sendable, CaseIterable {
        case auto, always, never, plain
    }

    /// The treatment of cached pictures.
    public enum Freshness: String, Sendable, CaseIterable {
        /// They are kept.
        case ifNotCached
        /// They are revalidated with the server.
        case refresh
        /// They are downloaded again.
        case force
    }

    public var library = LibrarySettings()
    /// List files, folders, URLs, or `-` for standard input.
    public var lists: [String] = []
    /// The base of relative locations in the lists; nil, the default, means each list's own folder.
    public var base: ListBase?
    /// The title of the progress; nil, the default, uses the lists.
    public var title: String?
    public var freshness = Freshness.ifNotCached
    /// Also fills the memory cache, which decodes every picture; false by default.
    public var warmsMemory = false
    /// The processor chains whose results are cached, too; none by default.
    public var variants: [ProcessorChain] = []
    /// Loads the low-data alternatives that the lists name; false by default.
    public var usesLowData = false
    /// The part of the lists to process; nil, the default, means all.
    public var shard: Shard?
    /// Aborts the run after more failures; nil, the default, means never.
    public var failureLimit: FailureLimit?
    /// Resumes an interrupted run of the same lists; true by default.
    public var resumes = true
    /// Prints what would be downloaded and downloads nothing; false by default.
    public var isDryRun = false
    /// Counts unusable lines as failures; false by default.
    public var isStrict = false
    public var printsJSON = false
    /// Whether only ASCII is drawn; false by default.
    public var isASCII = false
    public var progress = Progress.auto
    public var isQuiet = false
    /// Prints the result of every picture; false by default.
    public var isVerbose = false
    /// The file for the list of failed items.
    public var failedFile: String?

    public init() {}
}

/// A processor chain with its text.
public struct ProcessorChain: Sendable {
    public let text: String
    let processor: any ImageProcessor

    /// Parses a chain.
    public init(_ text: String) throws(ProcessorGrammar.Problem) {
        self.text = text
        processor = try ProcessorGrammar.parse(text)
    }
}
