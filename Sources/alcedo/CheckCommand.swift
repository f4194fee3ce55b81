import AlcedoConfig
import AlcedoFilters
import AlcedoPrefetch
import ArgumentParser
import FoundationEssentials
import ImageLoading

/// The command `alcedo check`.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check lists: is each picture there, and what is it? Nothing is stored.",
        discussion: """
            Asks each server for the first 64 KiB, which have format, size and colours of most files. A server that sends \
            more is cut off there. --full downloads and decodes each picture: verdict, digest, perceptual hash. \
            --where prints the pictures that a filter selects. Lists, retries, limits and JSON lines are those of alcedo prefetch.
            Exit code: 0 all usable, 1 could not run, 2 usage error, 3 some failed, 4 nothing usable, 130 and \
            143 interrupted.
            Examples:
              alcedo check photos.txt
              alcedo check photos.txt --full --json > facts.jsonl
              alcedo check photos.txt --failed broken.txt
              alcedo check photos.txt --where 'w<200 | status:failed'
              alcedo check photos.txt --format junit > links.xml
            """)

    @Flag(name: .long, help: "Download and decode each picture.") var full = false
    @Option(name: .long, help: "Take cached pictures that were fetched within this time as they are, as 1d.")
    var maxAge: String?
    @Option(
        name: .long, help: "Print the results as junit, github (annotations) or tap.",
        completion: .names(of: CheckFormat.self))
    var format: String?
    @Flag(help: .hidden) var force = false
    @OptionGroup var lists: ListRunFlags

    private static let beginning = 64 << 10

    func run() async throws {
        var settings = try lists.settings(printsRows: format == nil)
        // A cached picture says nothing about its server.
        settings.freshness = .force
        settings.trustedAge = try maxAge.map { text in
            do { return try FilterUnits.seconds(text) } catch let problem as FilterProblem {
                throw UsageProblem(text: "--max-age takes \(problem.expected), not '\(text)'")
            }
        }
        settings.checkFormat = try format.map { try OptionText.choice($0, of: "--format") }
        if format != nil, lists.output.json { throw UsageProblem(text: "--format and --json print both") }
        settings.inspection = full ? .whole : .beginning(bytes: Self.beginning)
        settings[.check] = full ? .decode : .framing
        try await lists.run(settings)
    }
}
