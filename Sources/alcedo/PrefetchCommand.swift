import AlcedoConfig
import AlcedoPrefetch
import ArgumentParser
import FoundationEssentials
import Glibc
import ImageLoading

/// The command `alcedo prefetch`.
struct PrefetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prefetch",
        abstract: "Download lists into the disk cache, without a screen.",
        discussion: """
            A list is a text file with one URL or path per line, JSON, a table, Markdown, a web page, a sitemap or a \
            feed; a folder, a URL or - for standard input is accepted, too. A URL names a picture, or a list if it ends \
            like one (.txt, .xml, .html, .csv.gz …). The lists of a sitemap index are read as well.
            The same command resumes an interrupted run.
            Exit code: 0 all usable, 1 could not run, 2 usage error, 3 some failed, 4 nothing usable, 130 and \
            143 interrupted. An interrupt lets running downloads finish, for 10 s, or 5 s after SIGTERM; a second one stops at once.
            Examples:
              alcedo prefetch photos.txt
              alcedo prefetch photos.txt --failed failed.txt; alcedo prefetch failed.txt
              alcedo prefetch photos.txt --shard 1/4 --rate 10/s --limit-rate 2M
              find-urls | alcedo prefetch - --json > log.jsonl
            """)

    enum Tiers: String, CaseIterable {
        case disk
        case both = "memory+disk"
    }

    @Option(
        name: .long,
        help: """
            disk, or memory+disk, which also decodes every picture, or tar:FOLDER, which also writes the pictures and \
            their facts into tar files of 1000 pictures, as WebDataset reads them, or folder:PATH, which also writes a \
            file for each picture, as alcedo download does.
            """,
        completion: .names(of: Tiers.self))
    var to = Tiers.disk.rawValue
    @OptionGroup var choice: PrefetchChoiceFlags
    @OptionGroup var lists: ListRunFlags

    func run() async throws {
        var settings = try lists.settings()
        if let folder = try Self.folder(in: to, after: "tar:") {
            settings.sink = .tar(folder)
        } else if let folder = try Self.folder(in: to, after: "folder:") {
            settings.sink = .folder(folder, .standard, keepsAddress: false)
        } else {
            settings.warmsMemory = try OptionText.choice(to, of: "--to") as Tiers == .both
        }
        try choice.write(to: &settings)
        try await lists.run(settings)
    }

    private static func folder(in text: String, after kind: String) throws -> String? {
        guard text.hasPrefix(kind) else { return nil }
        guard text.count > kind.count else {
            throw UsageProblem(text: "--to \(kind) needs a folder, as --to \(kind)out")
        }
        return String(text.dropFirst(kind.count))
    }
}

extension PrefetchProgram {
    /// Runs until the end or a signal.
    func runHandlingSignals() async throws -> PrefetchTally {
        let signals = SignalWatch([SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGUSR1])
        let watching = Task {
            var interrupts = 0
            for await signal in signals.received {
                if signal == SIGUSR1 {
                    Task { showProgress() }
                    continue
                }
                // Not awaited, because the program may hang in a write.
                if [SIGTSTP, SIGCONT].contains(signal) {
                    Task { if signal == SIGTSTP { suspend() } else { resume() } }
                    continue
                }
                interrupts += 1
                if interrupts == 2 { Self.scheduleExit(by: signal) }
                Task { await interrupt(signal: signal) }
            }
        }
        defer { watching.cancel() }
        return try await run()
    }

    /// Exits two seconds after the second interrupt, in case a file system does not respond.
    private static func scheduleExit(by signal: Int32) {
        Task {
            try await Task.sleep(for: .seconds(2))
            _exit(128 + signal)
        }
    }
}
