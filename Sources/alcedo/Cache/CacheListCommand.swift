import AlcedoConfig
import AlcedoTools
import ArgumentParser
import ImageLoading

/// The command `alcedo cache ls`.
struct CacheListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "List entries.",
        discussion: """
            A line is: key, state, size, format, pixels, hits, last use, address,
            processor. The state is - live, e expired, p pinned or d damaged. See
            alcedo cache --help for the filter terms.
            Examples:
              alcedo cache ls --sort size --top 20
              alcedo cache ls host:cdn.example.net /thumbs/*.jpg --json
            """)

    @Argument(help: "Filter terms; without one, all entries are listed.", completion: .cacheFilter)
    var filter: [String] = []
    @Option(
        name: .long, help: "access, size, age, hits, host, expiry, pixels or type.",
        completion: .names(of: CacheOrder.self))
    var sort = "access"
    @Flag(name: .long, help: "Reverse the order: smallest, oldest or last to expire first.") var reverse = false
    @Option(name: .long, help: "Print at most this many.") var top: Int?
    @Flag(name: .long, help: "Print JSON, one entry a line.") var json = false
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        guard let order = CacheOrder(rawValue: sort) else {
            let orders = CacheOrder.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageProblem(text: "--sort takes one of \(orders), not '\(sort)'")
        }
        if let top { _ = try OptionText.number(top, of: "--top", in: 0...Int.max) }
        // Names and expiry times start with the first, all other orders with the largest.
        let isAscending = [.host, .expiry, .type].contains(order) != reverse
        let console = Console()
        var isEmpty = true
        try await config.openCache().forEachEntry(
            filter: try CacheFilter(words: filter), order: order, isAscending: isAscending, top: top
        ) { entry in
            isEmpty = false
            console.output(entry, asJSON: json, lines: [entry.line])
        }
        if isEmpty, !filter.isEmpty, top != 0 { console.message("no entry matches") }
    }
}
