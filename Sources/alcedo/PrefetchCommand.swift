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

    @Argument(help: "List files, folders, URLs, or - for standard input.") var lists: [String]
    @Option(name: .long, help: "Transfers at a time.") var jobs = 32
    @Option(name: .long, help: "Transfers at a time to one host.") var perHost = 6
    @Option(name: .long, help: "Largest body, with K, M or G.") var maxSize = "64M"
    @Flag(name: .long, help: "Fetch again what is cached.") var refresh = false
    @Option(name: .long, help: "Write the failed ones to this list.") var failed: String?
    @Flag(name: .long, help: "An unusable line is a failure.") var strict = false
    @Flag(name: .long, help: "Print JSON lines.") var json = false
    @Option(name: .long, help: "auto, always, never or plain.") var progress = "auto"
    @Flag(name: .shortAndLong, help: "Say only what failed.") var quiet = false

    @OptionGroup(title: "Retrying") var retry: RetryFlags

    func run() async throws {
        let tally = try await PrefetchProgram(settings: try settings()).runHearingSignals()
        let code = strict && tally.skipped > 0 && tally.exitCode == 0 ? 3 : tally.exitCode
        if code != 0 { throw ExitCode(code) }
    }

    private func settings() throws -> PrefetchSettings {
        var settings = PrefetchSettings()
        settings.lists = lists
        settings.library.jobs = try OptionText.number(jobs, of: "--jobs", in: 1...1024)
        settings.library.perHost = try OptionText.number(perHost, of: "--per-host", in: 1...1024)
        settings.library.retry = try retry.settings()
        settings.library.maximumBytes = try OptionText.bytes(maxSize, of: "--max-size")
        settings.refreshes = refresh
        settings.failedFile = failed
        settings.printsJSON = json
        settings.progress = try OptionText.choice(progress, of: "--progress")
        settings.isQuiet = quiet
        return settings
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
