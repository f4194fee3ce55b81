import ArgumentParser
import BrowserApp

/// The command `alcedo cache pin`.
struct CachePinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Pin entries: they never expire and are never evicted.",
        discussion: """
            An address or an original's key also selects the processed versions.
            Example: alcedo cache pin https://images.example.org/poster.png
            """)

    @Argument(help: .cacheKeys) var entries: [String]
    @Flag(name: .long, help: "Print JSON.") var json = false
    @OptionGroup var config: ConfigFlags

    func run() async throws { try await PinChange(isPinned: true, json: json).make(entries, config) }
}

/// The command `alcedo cache unpin`.
struct CacheUnpinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin", abstract: "Unpin entries: they expire and are evicted like others.",
        discussion: """
            An address or an original's key also selects the processed versions.
            Example: alcedo cache unpin 3fa9c2d1b04e
            """)

    @Argument(help: .cacheKeys) var entries: [String]
    @Flag(name: .long, help: "Print JSON.") var json = false
    @OptionGroup var config: ConfigFlags

    func run() async throws { try await PinChange(isPinned: false, json: json).make(entries, config) }
}

/// Pins or unpins entries.
private struct PinChange {
    let isPinned: Bool
    let json: Bool

    func make(_ entries: [String], _ config: ConfigFlags) async throws {
        let report = try await config.cacheInspector().setPinned(isPinned, entries)
        Console().output(report, asJSON: json, lines: [report.line])
    }
}
