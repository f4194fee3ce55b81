import AlcedoConfig
import AlcedoLists
import AlcedoSupport
import FoundationEssentials
import Glibc
import ImageLoading
import Raster

/// The settings of a prefetch.
package struct PrefetchSettings: Sendable {
    /// The treatment of cached pictures.
    package enum Freshness: String, Sendable, CaseIterable {
        /// They are kept.
        case ifNotCached
        /// They are revalidated with the server.
        case refresh
        /// They are downloaded again.
        case force

        var policy: CachePolicy {
            switch self {
            case .ifNotCached: .cacheFirst
            case .refresh: .revalidate
            case .force: .reload
            }
        }
    }

    package var library = LibrarySettings()
    /// List files, folders, URLs, or `-` for standard input.
    package var lists: [String] = []
    /// The base of relative locations in the lists; nil, the default, means each list's own folder.
    package var base: ListBase?
    /// The title of the progress; nil, the default, uses the lists.
    package var title: String?
    package var freshness = Freshness.ifNotCached
    /// Also fills the memory cache, which decodes every picture; false by default.
    package var warmsMemory = false
    /// The folder that gets the pictures besides the cache; nil, the default, means none.
    package var sink: SinkChoice?
    /// How the pictures in the folder are processed and encoded; nil, the default, writes their own bytes.
    package var encoding: PictureEncoding?
    package var columns = ColumnSettings()
    /// The filters of the pictures that are kept, and of those that count as failed; nil, the default, for all and none.
    package var keep, reject: ReportFilter?
    /// Whether the pictures stay in the cache, true by default; else the folder holds a cache for the time of the run.
    package var keepsCache = true
    /// The processor chains whose results are cached, too; none by default.
    package var variants: [ProcessorChain] = []
    /// Receives each usable picture; nil, the default, for nobody.
    package var onPicture: (@Sendable (CheckedPicture) -> Void)?
    /// How much of each picture is fetched to check it without storing it, as `alcedo check` does; nil by default.
    package var inspection: Inspection?
    /// Keeps damaged pictures; false by default.
    package var keepsDamaged = false
    /// Loads the low-data alternatives that the lists name; false by default.
    package var usesLowData = false
    /// The part of the lists to process; nil, the default, means all.
    package var shard: Shard?
    /// Aborts the run after more failures; nil, the default, means never.
    package var failureLimit: FailureLimit?
    /// Resumes an interrupted run of the same lists; true by default.
    package var resumes = true
    /// The columns that are read from the lists; without an output that has them, only that of the addresses.
    var wantedColumns: ColumnChoice {
        var choice = columns.choice
        if sink == nil, !printsJSON, [reportFile, logFile, failedFile].allSatisfy({ $0 == nil }) {
            choice.kept = .none
        }
        return choice
    }
    /// Whether nothing is written to the cache.
    var storesNothing: Bool { isDryRun || inspection != nil }
    /// Prints what would be downloaded and downloads nothing; false by default.
    package var isDryRun = false
    /// Counts unusable lines as failures; false by default.
    package var isStrict = false
    package var printsJSON = false
    /// Whether only ASCII is drawn; false by default.
    package var isASCII = false
    /// Prints the result of every picture; false by default.
    package var isVerbose = false
    /// Prints the items that ``reportFilter`` selects as text; false by default.
    package var printsRows = false
    /// The form in which results are printed for another program; nil, the default, for none.
    package var checkFormat: CheckFormat?
    /// The file that also gets the JSON lines.
    package var logFile: String?
    /// The file with the state of the run for Prometheus.
    package var metricsFile: String?
    /// The age up to which a cached picture is not asked for again in a check; nil, the default, asks for all.
    package var trustedAge: TimeInterval?
    /// The file for the list of failed items.
    package var failedFile: String?
    /// The file for the report, in the form of its extension.
    package var reportFile: String?
    /// The maximum number of thumbnails in the report.
    package var thumbnails = 0
    /// The filter of the items in the report and in the JSON lines; nil for all.
    package var reportFilter: ReportFilter?

    package init() {}

    /// The value of a setting of the config file.
    package subscript<Value>(_ setting: Setting<Value>) -> Value {
        get { library[setting] }
        set { library[setting] = newValue }
    }
}

extension PrefetchSettings {
    /// Returns the reporters of the prefetch; throws if the log cannot be written.
    func reporters(console: Console) throws(ProgramProblem) -> [any PrefetchReporter] {
        var all = [reporter(console: console)]
        if let checkFormat { all.append(CheckReporter(console: console, format: checkFormat)) }
        if let logFile {
            let log = logFile.withPath { open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644) }
            guard log >= 0 else {
                throw ProgramProblem("cannot write the log \(logFile): \(String(cString: strerror(errno)))")
            }
            all.append(JSONReporter(console: Console(output: log), filter: reportFilter))
        }
        return all
    }

    func reporter(console: Console) -> any PrefetchReporter {
        if printsJSON { return JSONReporter(console: console, filter: reportFilter) }
        // A dry run prints addresses line by line, between which no progress block may be drawn.
        switch isDryRun && self[.progress] != .never ? .plain : self[.progress] {
        case .never: return TextReporter(console: console, settings: self, isQuiet: true)
        case .plain: return TextReporter(console: console, settings: self, isQuiet: self[.quiet])
        case .always: return TextReporter(console: console, settings: self, hasBlock: true)
        case .auto:
            let canMove = console.errorIsTerminal && library.environment["TERM"] ?? "dumb" != "dumb"
            return TextReporter(
                console: console, settings: self, isQuiet: self[.quiet], hasBlock: canMove && !self[.quiet])
        }
    }
}

extension ImageOptions {
    /// Returns the options for prefetching.
    func prefetching(_ settings: PrefetchSettings) -> ImageOptions {
        var options = self
        options.cache.policy = settings.freshness.policy
        options.cache.expiredGracePeriod = nil
        options.cache.alsoPrefetchToMemory = settings.warmsMemory
        options.process.originalCheck = settings[.check]
        options.process.keepsThumbnail = settings.thumbnails > 0
        options.process.storesDamaged = settings.keepsDamaged
        options.process.acceptedFormats = settings[.accept]
        options.process.limits.allowsDamage = settings.keepsDamaged
        options.process.recipe = settings.encoding?.recipeOfChecks(keep: settings.keep, reject: settings.reject)
        options.download.isNetworkConstrained = settings.usesLowData
        options.download.inspection = settings.inspection
        return options
    }
}

/// A processor chain with its text.
package struct ProcessorChain: Sendable {
    package let text: String
    package let processor: any ImageProcessor

    /// Parses a chain.
    package init(_ text: String) throws(ProcessorGrammar.Problem) {
        self.text = text
        processor = try ProcessorGrammar.parse(text)
    }
}
