import AlcedoConfig
import AlcedoFilters
import AlcedoTools
import ArgumentParser
import ImageLoading

/// The command `alcedo cache prune`.
struct CachePruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Evict old, unused or expired entries, or down to a size; never pinned ones.",
        discussion: """
            It removes the entries that any option selects, and damaged ones; without an
            option, expired entries and those not used for 90 days. --max-size then removes
            the least recently used. Ages take s, m, h or d, sizes K, M or G.
            Examples:
              alcedo cache prune --dry-run
              alcedo cache prune --unused 30d --max-size 2G --yes
            """)

    @Option(name: .long, help: "Entries stored longer ago, as 90d.") var olderThan: String?
    @Option(name: .long, help: "Entries not used for longer, as 30d.") var unused: String?
    @Option(name: .long, help: "Evict until the cache has this size, as 2G.") var maxSize: String?
    @Flag(name: .long, help: "Expired entries.") var expired = false
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        let pruning = try pruning()
        let disk = try await config.openCache()
        // Prunes even if no entry is selected: leftovers of killed processes are removed, too, and not counted.
        try await confirmation.remove(try await disk.amount(of: pruning), evenIfEmpty: true) {
            let amount = try await disk.prune(pruning)
            await disk.sweep()
            return amount
        }
        guard !confirmation.dryRun, let shortfall = try await disk.shortfall(of: pruning) else { return }
        Console().message(shortfall)
    }

    private func pruning() throws -> CachePruning {
        guard olderThan != nil || unused != nil || maxSize != nil || expired else {
            return CachePruning(unusedFor: 90 * 86_400, takesExpired: true)
        }
        return CachePruning(
            olderThan: try olderThan.map { try value($0, of: "--older-than") { try FilterUnits.seconds($0) } },
            unusedFor: try unused.map { try value($0, of: "--unused") { try FilterUnits.seconds($0) } },
            takesExpired: expired,
            sizeLimit: try maxSize.map { try value($0, of: "--max-size") { try FilterUnits.bytes($0) } })
    }

    private func value<Value>(_ text: String, of option: String, _ read: (String) throws -> Value) throws -> Value {
        do { return try read(text) } catch let problem as FilterProblem {
            throw UsageProblem(text: "\(option) takes \(problem.expected), not '\(text)'")
        }
    }
}
