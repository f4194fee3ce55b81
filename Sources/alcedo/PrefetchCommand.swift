import ArgumentParser
import BrowserApp
import Foundation

/// The command `alcedo prefetch`.
struct PrefetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prefetch",
        abstract: "Fill the disk cache from lists, without a screen.",
        discussion: """
            A list is a text file with one URL or path a line; a folder, a URL or - for standard input will do too.
            Exit code: 0 all usable, 1 it could not run, 2 used wrongly, 3 some failed, 4 all failed, 130 interrupted.
            Examples:
              alcedo prefetch photos.txt
              alcedo prefetch photos.txt --failed failed.txt; alcedo prefetch failed.txt
              find-urls | alcedo prefetch - --json > log.jsonl
            """)

    @Argument(help: "List files, folders, URLs, or - for standard input.", completion: .file())
    var lists: [String]
    @OptionGroup var transfers: TransferFlags
    @Option(name: .long, help: .base, completion: .directory) var base: String?
    @Flag(name: .long, help: "Fetch again what is cached.") var refresh = false
    @Option(name: .long, help: "Write the failed ones to this list.", completion: .file()) var failed: String?
    @Flag(name: .long, help: "An unusable line is a failure.") var strict = false
    @Flag(name: .long, help: "Print JSON lines.") var json = false
    @Option(name: .long, help: .of(.progress), completion: .names(of: PrefetchSettings.Progress.self))
    var progress: String?
    @Flag(name: .shortAndLong, inversion: .prefixedNo, help: .of(.quiet)) var quiet: Bool?
    @OptionGroup(title: "Retrying") var retry: RetryFlags
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        let tally = try await PrefetchProgram(settings: try settings()).runHearingSignals()
        let code = strict && tally.skipped > 0 && tally.exitCode == 0 ? 3 : tally.exitCode
        if code != 0 { throw ExitCode(code) }
    }

    private func settings() throws -> PrefetchSettings {
        let configuration = try configuration()
        var settings = PrefetchSettings()
        settings.lists = lists
        settings.base = try OptionText.base(base)
        settings.library = LibrarySettings(configuration)
        settings.refreshes = refresh
        settings.failedFile = failed
        settings.printsJSON = json
        settings.progress = configuration[.progress]
        settings.isQuiet = configuration[.quiet]
        return settings
    }

    private func configuration() throws -> Configuration {
        var configuration = try config.read()
        try transfers.write(to: &configuration)
        try retry.write(to: &configuration)
        try configuration.set(.progress, to: progress, of: "--progress")
        try configuration.set(.quiet, to: quiet, of: "--quiet")
        return configuration
    }
}

extension PrefetchProgram {
    /// Runs to the end, or until a signal interrupts it.
    func runHearingSignals() async throws -> PrefetchTally {
        let signals = SignalWatch([SIGINT, SIGTERM, SIGHUP])
        let watching = Task {
            for await signal in signals.received { await interrupt(signal: signal) }
        }
        defer { watching.cancel() }
        return try await run()
    }
}
