import ArgumentParser
import BrowserApp
import Foundation

/// The command `alcedo manual`, which installing calls.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Print the manual page, for man.", shouldDisplay: false)

    func run() throws {
        let page = ManualPage(program: try CommandDescription.ofProgram(), day: Self.day)
        page.lines.forEach(Console().output)
    }

    /// The day of `$SOURCE_DATE_EPOCH`, so that a build can be repeated, else today.
    private static var day: String {
        let epoch = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap(TimeInterval.init)
        let date = epoch.map(Date.init(timeIntervalSince1970:)) ?? Date()
        return date.formatted(.iso8601.year().month().day())
    }
}
