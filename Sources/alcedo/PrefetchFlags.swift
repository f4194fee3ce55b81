import AlcedoConfig
import AlcedoPrefetch
import ArgumentParser
import ImageLoading

/// The options of `alcedo prefetch` that select what is downloaded and cached.
struct PrefetchChoiceFlags: ParsableArguments {
    @Option(
        name: .long,
        help: """
            Also cache each picture processed by this chain; repeat for more. Animations are cached as they are and \
            processed while shown. With a folder, one chain: what it makes is written there instead, and not cached.
            """)
    var process: [String] = []
    @Option(
        name: .long,
        help:
            "The format of the files in the folder: jpg:90, webp:80, png or gif; the picture's own, else PNG, by default."
    )
    var encode: String?
    @Option(name: .long, help: .of(.check), completion: .of(.check)) var check: String?
    @Option(
        name: .long,
        help:
            "Write only the pictures that this filter selects into the folder, as 'w>=256 ratio<3'; others are skipped.",
        completion: .reportFilter)
    var keep: String?
    @Option(
        name: .long, help: "Fail the pictures that this filter selects, as 'w<2'.", completion: .reportFilter)
    var reject: String?
    @Flag(name: .long, help: "Keep pictures with missing or wrong pixels; they count as fetched.")
    var keepDamaged = false
    @Flag(help: "What to do with cached pictures.") var freshness = PrefetchSettings.Freshness.ifNotCached
    @Flag(name: .long, help: "Use the small versions named in the lists.") var lowData = false
    @Option(
        name: .long, help: "Abort if more pictures fail than this number, or than this share, as 5%, once 100 are done."
    )
    var maxFailures: String?
    @Flag(name: .long, help: "Print what would be downloaded, one address per line, and download nothing.") var dryRun =
        false

    func write(to settings: inout PrefetchSettings) throws {
        try settings.library.configuration.set(.check, to: check, of: "--check")
        settings.variants = try process.map(OptionText.processors)
        settings.encoding = try encoding(settings)
        settings.keep = try Self.filter(keep, of: "--keep")
        settings.reject = try Self.filter(reject, of: "--reject")
        // Without a decode the facts about pixels are not known.
        if [settings.keep, settings.reject].contains(where: { $0?.readsPixels == true }) { settings[.check] = .decode }
        settings.keepsDamaged = keepDamaged
        settings.freshness = freshness
        settings.usesLowData = lowData
        settings.failureLimit = try maxFailures.map { text in
            try Self.read(FailureLimit(text), "--max-failures takes a number, or a share as 5%, not '\(text)'")
        }
        settings.isDryRun = dryRun
    }

    /// Returns what becomes of the pictures in the folder of the settings.
    private func encoding(_ settings: PrefetchSettings) throws -> PictureEncoding? {
        guard settings.sink != nil else {
            if encode == nil { return nil }
            throw UsageProblem(text: "--encode needs a folder: --to folder:PATH or tar:PATH, or alcedo download")
        }
        guard process.count < 2 else {
            throw UsageProblem(text: "a folder gets one file for each picture: give --process once, with |> in it")
        }
        guard encode != nil || !process.isEmpty else { return nil }
        var encoding = PictureEncoding()
        encoding.chain = process.first ?? ""
        if let encode, !encoding.read(encode) {
            throw UsageProblem(text: "--encode takes jpg, webp, png or gif, with a quality as jpg:90, not '\(encode)'")
        }
        return encoding
    }

    private static func filter(_ text: String?, of option: String) throws -> ReportFilter? {
        guard let text else { return nil }
        let filter = try ReportFilter(option: text, of: option)
        guard !filter.readsAllItems else {
            throw UsageProblem(text: "\(option) takes no dup and like:, which need all pictures: use alcedo report")
        }
        return filter
    }

    private static func read<Value>(_ value: Value?, _ problem: String) throws -> Value {
        guard let value else { throw UsageProblem(text: problem) }
        return value
    }
}

extension PrefetchSettings.Freshness: EnumerableFlag {
    package static func name(for value: PrefetchSettings.Freshness) -> NameSpecification {
        switch value {
        case .ifNotCached: .customLong("if-not-cached")
        case .refresh: .customLong("refresh")
        case .force: .customLong("force")
        }
    }

    package static func help(for value: PrefetchSettings.Freshness) -> ArgumentHelp? {
        switch value {
        case .ifNotCached: "Keep cached pictures as they are (the default)."
        case .refresh: "Revalidate cached pictures with the server."
        case .force: "Download cached pictures again."
        }
    }
}

/// The options that divide lists between machines.
struct ShardFlags: ParsableArguments {
    @Option(name: .long, help: "Handle one of several parts, as 1/4; the parts are the same on every machine.")
    var shard: String?
    @Option(
        name: .long, help: "key, or host, which leaves all pictures of a host to one machine.",
        completion: .names(of: Shard.Unit.self))
    var shardBy = Shard.Unit.key.rawValue

    func read() throws -> Shard? {
        let unit = try OptionText.choice(shardBy, of: "--shard-by") as Shard.Unit
        return try shard.map { text in
            guard let shard = Shard(text, by: unit) else {
                throw UsageProblem(text: "--shard takes one of several parts, as 1/4, not '\(text)'")
            }
            return shard
        }
    }
}

/// The lists, and the options that `alcedo prefetch` and `alcedo check` share.
struct ListRunFlags: ParsableArguments {
    @Argument(help: "List files, folders, URLs, or - for standard input.", completion: .file())
    var lists: [String]
    @Option(name: .long, help: .base, completion: .directory) var base: String?
    @Option(name: .long, help: "The column of addresses in tables and JSON, if it is not found by itself.")
    var urlColumn: String?
    @Option(name: .long, help: "The columns that go with the pictures, as 'license,author'; all by default.")
    var columns: String?
    @Option(
        name: .long,
        help: "The column of captions, which tar files get as KEY.txt; caption, text, title or alt by default."
    )
    var captionColumn: String?
    @Flag(name: .long, inversion: .prefixedNo, help: "Resume an interrupted run of the same lists.")
    var resume = true
    @OptionGroup var parts: ShardFlags
    @OptionGroup var output: PrefetchOutputFlags
    @OptionGroup var transfers: TransferFlags
    @OptionGroup var limits: LimitFlags
    @OptionGroup var pace: PaceFlags
    @OptionGroup(title: "Connections") var connection: ConnectionFlags
    @OptionGroup(title: "Retrying") var retry: RetryFlags
    @OptionGroup var config: ConfigFlags

    func settings(printsRows: Bool = false) throws -> PrefetchSettings {
        var configuration = try config.read()
        try transfers.write(to: &configuration)
        try limits.write(to: &configuration)
        try pace.write(to: &configuration)
        try connection.write(to: &configuration)
        try retry.write(to: &configuration)
        var settings = PrefetchSettings()
        settings.lists = lists
        settings.base = try OptionText.base(base)
        settings.columns.address = urlColumn
        settings.columns.names = columns?.split(separator: ",").map(String.init)
        settings.columns.caption = captionColumn
        settings.resumes = resume
        settings.isASCII = configuration.isASCII()
        settings.library = LibrarySettings(configuration)
        settings.library.connection = try connection.settings()
        settings.shard = try parts.read()
        try output.write(to: &settings, printsRows: printsRows)
        return settings
    }

    /// Runs to the end of the lists or a signal; throws the exit code.
    func run(_ settings: PrefetchSettings) async throws {
        let tally = try await PrefetchProgram(settings: settings).runHandlingSignals()
        if output.json, Console.isUnread, tally.signal == nil {
            Console().message(
                "alcedo: standard output was closed before its end\(tally.isOutputClosed ? "; the run ended with it" : "")"
            )
            throw ExitCode(ErrorReport.Code.failure)
        }
        if tally.exitCode != 0 { throw ExitCode(tally.exitCode) }
    }
}

/// The output options of `alcedo prefetch` and `alcedo check`.
struct PrefetchOutputFlags: ParsableArguments {
    @Option(
        name: .long, help: "Write the failed pictures to this list, with full addresses.", completion: .file()
    )
    var failed: String?
    @Option(
        name: .long, help: "Write the facts of every picture to this .html, .csv or .jsonl file.", completion: .file())
    var report: String?
    @Option(
        name: .long,
        help: "The number of thumbnails in the report; 200 in .html by default, else 0. Their pictures are decoded.")
    var reportThumbnails: Int?
    @Option(
        name: [.customLong("where"), .customLong("report-where")],
        help: "Report and print as JSON only the pictures that this filter selects, as 'w<200 | verdict:corrupt'.",
        completion: .reportFilter)
    var filter: String?
    @Flag(name: .long, help: "Count an unusable line as a failure.") var strict = false
    @Flag(name: .long, help: "Print JSON lines.") var json = false
    @Option(name: .long, help: "Append the JSON lines to this file.", completion: .file()) var log: String?
    @Option(
        name: .long, help: "Write the state of the run to this file for Prometheus, every 10 s.", completion: .file())
    var metrics: String?
    @Option(name: .long, help: .of(.progress), completion: .of(.progress))
    var progress: String?
    @Option(name: .long, help: .of(.accept)) var accept: String?
    @Flag(name: .shortAndLong, inversion: .prefixedNo, help: .of(.quiet)) var quiet: Bool?
    @Flag(name: .shortAndLong, help: "Print the result of every picture.") var verbose = false

    /// - Parameter printsRows: Whether the items that the filter selects are printed.
    func write(to settings: inout PrefetchSettings, printsRows: Bool = false) throws {
        settings.printsRows = printsRows && filter != nil && !json
        try settings.library.configuration.set(.progress, to: progress, of: "--progress")
        try settings.library.configuration.set(.quiet, to: quiet, of: "--quiet")
        try settings.library.configuration.set(.accept, to: accept, of: "--accept")
        guard failed != "-" else { throw UsageProblem(text: "--failed takes a file name, as ./- or /dev/stdout") }
        settings.failedFile = failed
        settings.reportFile = report
        if let count = reportThumbnails {
            guard count >= 0 else { throw UsageProblem(text: "--report-thumbnails takes a number from 0") }
            guard report != nil else { throw UsageProblem(text: "--report-thumbnails needs --report FILE") }
        }
        settings.thumbnails = report.map { reportThumbnails ?? ($0.hasSuffix(".html") ? 200 : 0) } ?? 0
        settings.reportFilter = try filter.map { text in
            guard report != nil || json || log != nil || printsRows else {
                throw UsageProblem(text: "--where needs --report FILE, --json or --log FILE")
            }
            let filter = try ReportFilter(option: text)
            if json || log != nil || printsRows && report == nil, filter.readsAllItems {
                throw UsageProblem(
                    text: "dup and like: need all pictures: use --report FILE instead of --json, or alcedo report")
            }
            return filter
        }
        settings.isStrict = strict
        settings.printsJSON = json
        (settings.logFile, settings.metricsFile) = (log, metrics)
        settings.isVerbose = verbose
    }
}
