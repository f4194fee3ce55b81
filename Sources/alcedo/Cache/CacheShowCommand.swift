import AlcedoConfig
import AlcedoTools
import ArgumentParser

/// The command `alcedo cache show`.
struct CacheShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print all facts about an entry, and the other entries of its source.",
        discussion: """
            Examples:
              alcedo cache show https://images.example.org/poster.png
              alcedo cache show 3fa9c2d1b04e --json
            """)

    @Argument(help: .cacheKey, completion: .cacheEntries) var entry: String
    @Flag(name: .long, help: "Print JSON.") var json = false
    @OptionGroup var config: ConfigFlags

    func run() async throws {
        let report = try await config.openCache().details(of: entry)
        Console().output(report, asJSON: json, lines: report.lines)
    }
}

extension ArgumentHelp {
    static let cacheKey: ArgumentHelp = "The entry's key, or its address."
    static let cacheKeys: ArgumentHelp = "The entries' keys, or their addresses."
}
