import ImageLoading
import ProgramTestSupport
import Retrying
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct TextReporterTests {
    private let captured: CapturedConsole

    init() throws { captured = try CapturedConsole() }

    private func reporter(isQuiet: Bool = false) -> TextReporter {
        var settings = PrefetchSettings()
        settings.title = "https://user:hush@host/list"
        settings.failedFile = "failed.txt"
        return TextReporter(console: captured.console, settings: settings, isQuiet: isQuiet)
    }

    private var lines: [String] { get throws { try captured.messages.split(separator: "\n").map(String.init) } }

    @Test(arguments: [false, true])
    func `a failure is reported at once without secrets`(isQuiet: Bool) throws {
        var reporter = reporter(isQuiet: isQuiet)
        reporter.report(.finished(Fixtures.item(line: 7), .lost))
        reporter.report(.finished(Fixtures.item(line: 0), .lost))
        #expect(
            try lines == [
                "failed  line 7  https://host/0.png?token=…  404 Not Found",
                "failed  https://host/0.png?token=…  404 Not Found",
            ])
    }

    @Test func `success and cancellation are not reported`() throws {
        var reporter = reporter()
        for outcome in [ItemOutcome.fetched, .hit, .duplicate, .failed(.cancelled)] {
            reporter.report(.finished(Fixtures.item(), outcome))
        }
        #expect(try lines.isEmpty)
    }

    @Test func `a host's change is reported unless quiet`() throws {
        for isQuiet in [false, true] {
            var reporter = reporter(isQuiet: isQuiet)
            reporter.report(
                .hostChanged(HostEvent(host: "a.example", change: .circuitOpened(for: .milliseconds(4_200)))))
        }
        #expect(try lines == ["host a.example  keeps failing; next try in 5 s"])
    }

    @Test func `a rejected line is reported`() throws {
        var reporter = reporter(isQuiet: true)
        reporter.report(.lineRejected(3, list: "list.txt", reason: "no\u{1B}[2J address"))
        #expect(try lines == ["list.txt: line 3: no\u{FFFD}[2J address"])
    }

    @Test func `progress is printed at every tenth and every thirty seconds`() throws {
        var reporter = reporter()
        reporter.report(.listGrew(items: 20, isFinal: true))
        // A tenth after two items, then half a minute without one
        reporter.report(.tick(Fixtures.tally(after: 0)))
        for id in 0..<2 { reporter.report(.finished(Fixtures.item(id), .fetched)) }
        reporter.report(.tick(Fixtures.tally(after: 100)))
        reporter.report(.tick(Fixtures.tally(after: 200)))
        reporter.report(.tick(Fixtures.tally(after: 30_099)))
        #expect(try lines.count == 1)
        reporter.report(.tick(Fixtures.tally(after: 30_100)))
        #expect(try lines.count == 2)
        #expect(try lines.allSatisfy { $0.hasPrefix("https://host/list: 2 of 20 (10 %)") })
    }

    @Test func `the summary contains the command to try again`() throws {
        var reporter = reporter()
        reporter.report(.listGrew(items: 1, isFinal: true))
        reporter.report(.finished(Fixtures.item(), .lost))
        var tally = PrefetchTally()
        tally.failed = 1
        reporter.report(.finish(tally))
        #expect(try lines.contains { $0.contains("1 of 1") })
        #expect(try lines.last?.contains("alcedo prefetch failed.txt") == true)
        #expect(try !captured.messages.contains("hush"))
    }

    @Test func `in quiet mode an incomplete failed list is still reported`() throws {
        var reporter = reporter(isQuiet: true)
        var tally = PrefetchTally()
        tally.failedListProblem = "No space left on device"
        reporter.report(.finish(tally))
        #expect(try captured.messages == "the list of failed pictures is incomplete: No space left on device\n")
    }

    @Test func `in quiet mode neither progress nor summary is printed`() throws {
        var reporter = reporter(isQuiet: true)
        reporter.report(.listGrew(items: 1, isFinal: true))
        reporter.report(.finished(Fixtures.item(), .fetched))
        reporter.report(.tick(Fixtures.tally(after: 60_000)))
        reporter.report(.finish(PrefetchTally()))
        #expect(try captured.messages.isEmpty && captured.output.isEmpty)
    }
}
