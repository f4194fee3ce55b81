import AlcedoConfig
import AlcedoTools
import ArgumentParser
import ImageLoading

/// The command `alcedo cache rm`.
struct CacheRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Remove the entries that a filter selects, pinned ones too.",
        discussion: """
            On a terminal it asks first, with count and bytes; without one it needs --yes.
            Examples:
              alcedo cache rm host:old.example.com --dry-run
              alcedo cache rm 'age>30d' 'hits<1' --yes
              alcedo cache rm key:https://old.example.com/poster.png
            """)

    @Argument(help: "Filter terms, at least one.", completion: .cacheFilter) var filter: [String]
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        let filter = try CacheFilter(words: filter)
        guard filter != CacheFilter() else { throw UsageProblem(text: "rm needs a filter; to remove all: cache clear") }
        let disk = try await config.openCache()
        // Entries that are stored after the question are not removed.
        let (amount, last) = try await disk.countedAmount(filter)
        try await confirmation.remove(amount) { try await disk.remove(filter.upTo(last)) }
        // It is an error if a named picture is missing, but not if no entry matches a filter.
        if filter.namesEntries, amount.entries == 0 { throw ExitCode(ErrorReport.Code.failure) }
    }
}

/// The command `alcedo cache clear`.
struct CacheClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Remove every entry, pinned ones too.",
        discussion: """
            On a terminal it asks first, with count and bytes; without one it needs --yes.
            Example: alcedo cache clear --dry-run
            """)

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        let disk = try await config.openCache()
        let all = try await disk.amount(CacheFilter())
        // The folder may contain files that the index does not list.
        try await confirmation.remove(all, evenIfEmpty: true) {
            let removed = try await disk.amount(CacheFilter())
            try await disk.removeAll()
            return removed
        }
    }
}

/// The confirmation options of commands that remove entries.
struct Confirmation: ParsableArguments {
    @Flag(name: .long, help: "Do not ask.") var yes = false
    @Flag(name: .long, help: "Print what would be removed, and remove nothing.") var dryRun = false
    @Flag(name: .long, help: "Print JSON.") var json = false

    /// Asks for confirmation, calls `remove` and prints the amount that it returns.
    func remove(
        _ amount: CacheAmount, evenIfEmpty: Bool = false, _ remove: () async throws -> CacheAmount
    ) async throws {
        let console = Console()
        var amount = amount
        if !dryRun, amount.entries > 0 || evenIfEmpty {
            guard try yes || amount.entries == 0 || agrees(to: amount.summary, console: console) else {
                console.message("Nothing was removed.")
                throw ExitCode(ErrorReport.Code.failure)
            }
            amount = try await remove()
        }
        let line = dryRun ? "Would remove \(amount.summary)." : "Removed \(amount.summary)."
        console.output(RemovalReport(amount, isDryRun: dryRun), asJSON: json, lines: [line])
    }

    private func agrees(to what: String, console: Console) throws -> Bool {
        guard console.inputIsTerminal else {
            throw UsageProblem(text: "this would remove \(what); without a terminal, use --yes")
        }
        console.prompt("Remove \(what)? [y/N] ")
        return readLine()?.lowercased().hasPrefix("y") == true
    }
}
