import ArgumentParser
import BrowserApp
import Foundation
import ImageLoading

/// The command `alcedo check`.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check lists: is each picture there, and what is it? Nothing is stored.",
        discussion: """
            Asks each server for the first 64 KiB, which have format, size and colours of most files. A server that sends \
            more is cut off there. --full downloads and decodes each picture: verdict, digest, perceptual hash. Pictures \
            in the cache are not asked for. Lists, retries, limits and JSON lines are those of alcedo prefetch.
            Exit code: 0 all usable, 1 could not run, 2 usage error, 3 some failed, 4 nothing usable, 130 and \
            143 interrupted.
            Examples:
              alcedo check photos.txt
              alcedo check photos.txt --full --json > facts.jsonl
              alcedo check photos.txt --failed broken.txt
            """)

    @Argument(help: "List files, folders, URLs, or - for standard input.", completion: .file())
    var lists: [String]
    @Flag(name: .long, help: "Download and decode each picture.") var full = false
    @Option(name: .long, help: .base, completion: .directory) var base: String?
    @Flag(name: .long, help: "Ask the server for cached pictures, too.") var force = false
    @Flag(name: .long, inversion: .prefixedNo, help: "Resume an interrupted run of the same lists.") var resume = true
    @OptionGroup var parts: ShardFlags
    @OptionGroup var output: PrefetchOutputFlags
    @OptionGroup var transfers: TransferFlags
    @OptionGroup var limits: LimitFlags
    @OptionGroup var pace: PaceFlags
    @OptionGroup(title: "Connections") var connection: ConnectionFlags
    @OptionGroup(title: "Retrying") var retry: RetryFlags
    @OptionGroup var config: ConfigFlags

    private static let beginning = 64 << 10

    func run() async throws {
        let tally = try await PrefetchProgram(settings: try settings()).runHandlingSignals()
        if tally.exitCode != 0 { throw ExitCode(tally.exitCode) }
    }

    private func settings() throws -> PrefetchSettings {
        var configuration = try config.read()
        try transfers.write(to: &configuration)
        try limits.write(to: &configuration)
        try pace.write(to: &configuration)
        try connection.write(to: &configuration)
        try retry.write(to: &configuration)
        try output.write(to: &configuration)
        var settings = PrefetchSettings()
        settings.lists = lists
        settings.base = try OptionText.base(base)
        settings.isASCII = BrowserSettings.isASCII(configuration)
        settings.library = LibrarySettings(configuration)
        settings.library.connection = try connection.settings()
        settings.freshness = force ? .force : .ifNotCached
        settings.resumes = resume
        settings.shard = try parts.read()
        try output.write(to: &settings, configuration)
        settings.inspection = full ? .whole : .beginning(bytes: Self.beginning)
        settings.check = .decode
        return settings
    }
}
