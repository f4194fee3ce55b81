import AlcedoConfig
import AlcedoTools
import ArgumentParser
import ImageLoading

/// The command `alcedo cache pin`.
struct CachePinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Pin entries: they never expire and are never evicted.",
        discussion: """
            An address or an original's key also selects the processed versions.
            Examples:
              alcedo cache pin https://images.example.org/poster.png
              alcedo cache pin --where 'host:images.example.org hits>9'
            """)

    @OptionGroup var choice: PinChoice

    func run() async throws { try await choice.setPinned(true) }
}

/// The command `alcedo cache unpin`.
struct CacheUnpinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin", abstract: "Unpin entries: they expire and are evicted like others.",
        discussion: """
            An address or an original's key also selects the processed versions.
            Examples:
              alcedo cache unpin 3fa9c2d1b04e
              alcedo cache unpin --where state:pinned
            """)

    @OptionGroup var choice: PinChoice

    func run() async throws { try await choice.setPinned(false) }
}

/// The entries to pin or to unpin.
struct PinChoice: ParsableArguments {
    @Argument(help: .cacheKeys, completion: .cacheEntries) var entries: [String] = []
    @Option(
        name: .customLong("where"), help: "All entries that this filter selects, instead of keys and addresses.",
        completion: .cacheFilter)
    var filter: String?
    @Flag(name: .long, help: "Print JSON.") var json = false
    @OptionGroup var config: ConfigFlags

    func validate() throws {
        guard entries.isEmpty == (filter == nil) else { return }
        throw ValidationError("name entries, or select them with --where")
    }

    func setPinned(_ isPinned: Bool) async throws {
        let filter = try filter.map { try CacheFilter(words: [$0]) }
        let disk = try await config.openCache()
        let report =
            if let filter {
                try await disk.setPinned(isPinned, where: filter)
            } else {
                try await disk.setPinned(isPinned, entries: entries)
            }
        Console().output(report, asJSON: json, lines: [report.line])
    }
}
