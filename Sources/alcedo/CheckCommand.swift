import AlcedoPrefetch
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

    @Flag(name: .long, help: "Download and decode each picture.") var full = false
    @Flag(name: .long, help: "Ask the server for cached pictures, too.") var force = false
    @OptionGroup var lists: ListRunFlags

    private static let beginning = 64 << 10

    func run() async throws {
        var settings = try lists.settings()
        settings.freshness = force ? .force : .ifNotCached
        settings.inspection = full ? .whole : .beginning(bytes: Self.beginning)
        settings[.check] = full ? .decode : .framing
        try await lists.run(settings)
    }
}
