import ArgumentParser
import BrowserApp

/// The command `alcedo report`.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Make a report from the JSON lines of prefetch or check.",
        discussion: """
            The output's extension chooses its form: .html is one page with totals, charts, and a table that sorts and \
            filters without a server; .csv has one row for each picture; .jsonl joins the lines of several runs. The \
            page's filter takes words, host:NAME status:failed format:PNG kind:status verdict:whole 'w>1000' \
            'bytes<1M' mismatch, and ! before a term.
            Examples:
              alcedo check photos.txt --json > facts.jsonl; alcedo report facts.jsonl -o report.html
              alcedo report shard-*.jsonl -o all.csv
            """)

    @Argument(help: "Files of JSON lines.", completion: .file()) var results: [String]
    @Option(name: .shortAndLong, help: "The report: a .html, .csv or .jsonl file.", completion: .file())
    var output: String
    @Flag(name: .long, help: "Replace an existing file.") var force = false

    func run() async throws {
        try ReportProgram.run(results, to: output, mayReplace: force)
    }
}
