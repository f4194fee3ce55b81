import ArgumentParser
import BrowserApp
import ImageLoading

/// What `alcedo prefetch` fetches and what it keeps.
struct PrefetchChoiceFlags: ParsableArguments {
    enum Tiers: String, CaseIterable {
        case disk
        case both = "memory+disk"
    }

    @Option(name: .long, help: .base, completion: .directory) var base: String?
    @Option(
        name: .long,
        help: """
            Keep what a processor chain makes of each picture too; give it again for more. Of a moving picture the file \
            is kept: its frames pass through the chain as they are shown.
            """)
    var process: [String] = []
    @Option(
        name: .long, help: "disk, or memory+disk, for which every picture is decoded.",
        completion: .names(of: Tiers.self))
    var to = Tiers.disk.rawValue
    @Flag(help: "What to do about pictures that are cached.") var freshness = PrefetchSettings.Freshness.ifNotCached
    @Option(name: .long, help: "Do one part of several, as 1/4: each picture is in one, on every machine the same.")
    var shard: String?
    @Flag(name: .long, help: "Take the small versions that the lists name.") var lowData = false
    @Flag(name: .long, inversion: .prefixedNo, help: "Go on where an interrupted run of the same lists stopped.")
    var resume = true
    @Option(name: .long, help: "End when more fail than a number, or, once 100 are done, than a share as 5%.")
    var maxFailures: String?
    @Flag(name: .long, help: "Print what would be fetched, an address a line, and fetch nothing.") var dryRun = false

    func write(to settings: inout PrefetchSettings) throws {
        settings.base = try OptionText.base(base)
        settings.variants = try process.map(Self.chain)
        settings.warmsMemory = try OptionText.choice(to, of: "--to") as Tiers == .both
        settings.freshness = freshness
        settings.shard = try shard.map { text in
            try Self.read(Shard(text), "--shard takes a part of several, as 1/4, not '\(text)'")
        }
        settings.usesLowData = lowData
        settings.resumes = resume
        settings.failureLimit = try maxFailures.map { text in
            try Self.read(FailureLimit(text), "--max-failures takes a number, or a share as 5%, not '\(text)'")
        }
        settings.isDryRun = dryRun
    }

    private static func chain(_ text: String) throws -> ProcessorChain {
        do throws(ProcessorGrammar.Problem) {
            return try ProcessorChain(text)
        } catch {
            throw UsageProblem(text: "--process '\(text)': \(error)")
        }
    }

    private static func read<Value>(_ value: Value?, _ problem: String) throws -> Value {
        guard let value else { throw UsageProblem(text: problem) }
        return value
    }
}

extension PrefetchSettings.Freshness: EnumerableFlag {
    public static func name(for value: PrefetchSettings.Freshness) -> NameSpecification {
        switch value {
        case .ifNotCached: .customLong("if-not-cached")
        case .refresh: .customLong("refresh")
        case .force: .customLong("force")
        }
    }

    public static func help(for value: PrefetchSettings.Freshness) -> ArgumentHelp? {
        switch value {
        case .ifNotCached: "Leave alone what is cached (the default)."
        case .refresh: "Ask the servers whether what is cached still holds."
        case .force: "Fetch again what is cached."
        }
    }
}

/// How `alcedo prefetch` tells what it does.
struct PrefetchOutputFlags: ParsableArguments {
    @Option(
        name: .long, help: "Write the failed ones to this list, which holds addresses as they are.", completion: .file()
    )
    var failed: String?
    @Flag(name: .long, help: "An unusable line is a failure.") var strict = false
    @Flag(name: .long, help: "Print JSON lines.") var json = false
    @Option(name: .long, help: .of(.progress), completion: .names(of: PrefetchSettings.Progress.self))
    var progress: String?
    @Flag(name: .shortAndLong, inversion: .prefixedNo, help: .of(.quiet)) var quiet: Bool?
    @Flag(name: .shortAndLong, help: "Say how every picture ended.") var verbose = false

    func write(to configuration: inout Configuration) throws {
        try configuration.set(.progress, to: progress, of: "--progress")
        try configuration.set(.quiet, to: quiet, of: "--quiet")
    }

    func write(to settings: inout PrefetchSettings, _ configuration: Configuration) throws {
        guard failed != "-" else { throw UsageProblem(text: "--failed takes a file's name, as ./- or /dev/stdout") }
        settings.failedFile = failed
        settings.isStrict = strict
        settings.printsJSON = json
        settings.progress = configuration[.progress]
        settings.isQuiet = configuration[.quiet]
        settings.isVerbose = verbose
    }
}
