import Foundation
import ProgramTestSupport
import Retrying
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct ProgressBlockTests {
    private let captured: CapturedConsole

    init() throws { captured = try CapturedConsole() }

    private func reporter() -> TextReporter {
        var settings = PrefetchSettings()
        settings.title = "https://user:hush@host/list"
        settings.library.environment = [:]
        var reporter = TextReporter(console: captured.console, settings: settings, hasBlock: true)
        reporter.report(.listGrew(items: 2, isFinal: true))
        return reporter
    }

    /// How many rows up the cursor was moved, each time it was.
    private var movesUp: [Int] {
        get throws { try captured.messages.matches(of: /\e\[(\d+)A/).compactMap { Int($0.1) } }
    }

    /// The rows of the block that was drawn last.
    private var rows: Int { get throws { try #require(movesUp.last) + 1 } }

    @Test func `each block is drawn over the one before`() throws {
        var reporter = reporter()
        reporter.report(.tick(Fixtures.tally(after: 0)))
        let first = try captured.messages
        reporter.report(.tick(Fixtures.tally(after: 100)))
        // The cursor goes up as many rows as it came down.
        #expect(
            try movesUp == [first, String(captured.messages.dropFirst(first.count))].map { $0.count { $0 == "\n" } })
        #expect(try captured.output.isEmpty)
    }

    @Test func `a rejected line is printed above the block`() throws {
        var reporter = reporter()
        reporter.report(.tick(Fixtures.tally(after: 0)))
        let (before, erasure) = (try captured.messages, LineFrame.erase(try rows))
        reporter.report(.lineRejected(3, list: "list.txt", reason: "no address"))
        // The block is erased, the line said, the block drawn below it.
        let after = try captured.messages.dropFirst(before.count)
        #expect(after.hasPrefix(erasure + "list.txt: line 3: no address\n\u{1B}[?7l\r"))
    }

    @Test func `suspending erases the block and the next tick draws it again`() throws {
        var reporter = reporter()
        reporter.report(.tick(Fixtures.tally(after: 0)))
        let (before, erasure) = (try captured.messages, LineFrame.erase(try rows))
        reporter.report(.suspend)
        #expect(try captured.messages.dropFirst(before.count) == erasure)
        reporter.report(.tick(Fixtures.tally(after: 100)))
        #expect(try captured.messages.dropFirst(before.count + erasure.count).hasPrefix("\u{1B}[?7l\r"))
    }

    @Test func `the summary alone stays and names what failed`() throws {
        var reporter = reporter()
        reporter.report(.tick(Fixtures.tally(after: 0)))
        for (id, outcome) in [ItemOutcome.fetched, .lost].enumerated() {
            reporter.report(.finished(Fixtures.item(id), outcome))
        }
        reporter.report(.hostChanged(HostEvent(host: "host", change: .givenUp)))
        reporter.report(.tick(Fixtures.tally(after: 100)))
        reporter.report(.finish(PrefetchTally()))
        let text = try captured.messages
        let erasure = LineFrame.erase(try rows)
        let summary = try #require(text.components(separatedBy: erasure).last)
        #expect(text.contains("host   has failed for too long"))
        #expect(summary.contains("2 of 2") && summary.contains("404 Not Found") && !summary.contains("\u{1B}"))
        #expect(summary.contains("\n       line 7  https://host/1.png?token=…\n"))
        // Nothing else was said outside of the block.
        #expect(!text.dropLast(summary.count).contains("failed  line"))
        #expect(try !captured.messages.contains("hush"))
    }
}
