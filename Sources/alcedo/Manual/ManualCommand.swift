import ArgumentParser
import BrowserApp
import Foundation

/// The command `alcedo manual`, called by `make install`.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Print the manual page, for man.", shouldDisplay: false)

    func run() throws {
        let page = ManualPage(program: try CommandDescription.ofProgram(), day: Self.day)
        page.lines.forEach(Console().output)
    }

    /// The date of `$SOURCE_DATE_EPOCH`, for reproducible builds, else today.
    private static var day: String {
        let epoch = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap(TimeInterval.init)
        let date = epoch.map(Date.init(timeIntervalSince1970:)) ?? Date()
        return date.formatted(.iso8601.year().month().day())
    }
}
