import AlcedoFilters
import AlcedoPrefetch
import ArgumentParser

/// The command `alcedo report`.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Make a report from the JSON lines of prefetch or check.",
        discussion: """
            The output's extension chooses its form: .html is one page with totals, charts, and a table that sorts and \
            filters without a server; .csv has one row for each picture; .jsonl joins the lines of several runs. The page \
            and --where take the filter terms of alcedo cache --help, and status:failed, status:404, error:timeout.
            Examples:
              alcedo check photos.txt --json > facts.jsonl; alcedo report facts.jsonl -o report.html
              alcedo report shard-*.jsonl -o all.csv
              alcedo check photos.txt --json | alcedo report - -o report.html
              alcedo report facts.jsonl -o broken.html --where 'verdict:corrupt | status:failed'
            """)

    @Argument(help: "Files of JSON lines; - reads standard input.", completion: .file()) var results: [String]
    @Option(name: .shortAndLong, help: "The report: a .html, .csv or .jsonl file.", completion: .file())
    var output: String
    @Option(
        name: .customLong("where"), help: "Report only the pictures that this filter selects, as 'dup | mismatch'.",
        completion: .reportFilter)
    var filter: String?
    @Flag(name: .long, help: "Replace an existing file.") var force = false

    func run() async throws {
        try ReportProgram.run(results, filter.map { try ReportFilter(option: $0) }, to: output, mayReplace: force)
    }
}

extension ReportFilter {
    /// Reads the option `--where`.
    init(option text: String, of name: String = "--where") throws {
        do throws(FilterProblem) { try self.init(text) } catch { throw UsageProblem(text: "\(name): \(error)") }
    }
}
