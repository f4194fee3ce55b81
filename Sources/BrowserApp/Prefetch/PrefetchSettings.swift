import ImageLoading
import Lists

/// How a list is prefetched.
public struct PrefetchSettings: Sendable {
    public enum Progress: String, Sendable, CaseIterable {
        case auto, always, never, plain
    }

    /// What is done about pictures that are cached.
    public enum Freshness: String, Sendable, CaseIterable {
        /// Nothing.
        case ifNotCached
        /// The server is asked whether they still hold.
        case refresh
        /// They are fetched again.
        case force
    }

    public var library = LibrarySettings()
    /// List files, folders, URLs, or `-` for standard input.
    public var lists: [String] = []
    /// What relative locations in the lists start from; nil, the default, for each list's own folder.
    package var base: ListBase?
    /// Heads the progress; made from the lists when nil, the default.
    public var title: String?
    public var freshness = Freshness.ifNotCached
    /// Fills the memory as well, for which every picture is decoded; false by default.
    public var warmsMemory = false
    /// Processor chains whose pictures are kept besides the original, none by default.
    public var variants: [ProcessorChain] = []
    /// Takes the small versions that the lists name; false by default.
    public var usesLowData = false
    /// The part of the lists that is done here; all of them when nil, the default.
    public var shard: Shard?
    /// Ends the run when more fail; nil, never, by default.
    public var failureLimit: FailureLimit?
    /// Goes on where an interrupted run of the same lists stopped; true by default.
    public var resumes = true
    /// Says what would be done, and does none of it; false by default.
    public var isDryRun = false
    /// A line that names no picture is a failure; false by default.
    public var isStrict = false
    public var printsJSON = false
    /// Whether nothing but ASCII is drawn; false by default.
    public var isASCII = false
    public var progress = Progress.auto
    public var isQuiet = false
    /// Says how every picture ended; false by default.
    public var isVerbose = false
    /// Where the failed ones are written as a list, the reason as a comment.
    public var failedFile: String?

    public init() {}
}

/// A processor chain and the text that it was read from.
public struct ProcessorChain: Sendable {
    public let text: String
    let processor: any ImageProcessor

    /// Reads a chain; throws what is wrong with it.
    public init(_ text: String) throws(ProcessorGrammar.Problem) {
        self.text = text
        processor = try ProcessorGrammar.parse(text)
    }
}
