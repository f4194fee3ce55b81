import AlcedoBrowserCore
import ImageLoading
import ProgramTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch

@Suite(.timeLimit(.minutes(1))) struct TextReporterStateTests {
    private let captured: CapturedConsole

    init() throws { captured = try CapturedConsole() }

    /// A reporter whose block is not drawn, because it gets no ticks.
    private func keeper() -> TextReporter {
        var settings = PrefetchSettings()
        settings.title = "test"
        return TextReporter(console: captured.console, settings: settings, hasBlock: true)
    }

    @Test func `every outcome is counted once`() {
        var keeper = keeper()
        keeper.report(.listGrew(items: 5, isFinal: true))
        for (id, outcome) in [ItemOutcome.fetched, .hit, .duplicate, .lost, .failed(.cancelled)].enumerated() {
            keeper.report(.finished(Fixtures.item(id), outcome))
        }
        let state = keeper.state
        #expect(state.items == 5 && state.isListComplete && state.done == 4)
        #expect(state.count(of: .fetched) == 1 && state.count(of: .hit) == 1 && state.count(of: .duplicate) == 1)
        // A cancellation is no failure, and nothing done.
        #expect(state.failed == 1 && state.count(of: .skipped) == 0)
    }

    @Test func `failures are grouped by their common reason`() {
        var keeper = keeper()
        for id in 0..<20 {
            keeper.report(.finished(Fixtures.item(id), .failed(.response(.truncated(received: id, expected: 100)))))
        }
        for id in 20..<23 {
            let size = PixelSize(width: id, height: 9_000_000)
            do throws(CodecError) { try DecodeLimits.standard.check(size: size, frames: 1) } catch {
                keeper.report(.finished(Fixtures.item(id), .failed(ImageError(error))))
            }
        }
        keeper.report(.finished(Fixtures.item(23), .failed(.response(.tooLarge(limit: 100)))))
        let summary = PrefetchText.summary(keeper.state)
        for line in [
            "20 × cut off", "3 × too large; raise --max-pixels", "1 × larger than 100 bytes; raise --max-size",
        ] {
            #expect(summary.contains { $0.hasSuffix(line) })
        }
    }

    @Test func `retries are counted`() {
        var keeper = keeper()
        let error = ImageError.response(.timedOut(.idle))
        keeper.report(.retrying(Fixtures.item(), error: error, delay: .seconds(1)))
        keeper.report(.retrying(Fixtures.item(), error: error, delay: .seconds(1)))
        #expect(keeper.state.retried == 2)
    }

    @Test func `a transfer under way is shown without secrets`() {
        var keeper = keeper()
        keeper.report(.listGrew(items: 1, isFinal: true))
        keeper.report(.started(Fixtures.item()))
        keeper.report(.progress(Fixtures.item(), DownloadProgress(received: 50, total: 100)))
        let text = PrefetchScreenView.frame(keeper.state, size: GridSize(columns: 100, rows: 12)).text
        #expect(text.contains("0.png") && text.contains("host"))
        #expect(!text.contains("hush"))
    }

    @Test func `the heading is the title, the only list, or the number of lists`() {
        var settings = PrefetchSettings()
        settings.lists = ["list.txt"]
        #expect(settings.heading == "list.txt")
        settings.lists.append("other.txt")
        #expect(settings.heading == "2 sources")
        settings.title = "demo"
        #expect(settings.heading == "demo")
    }

    @Test func `the retry command uses the failed list if there is one, else the lists`() {
        var tally = PrefetchTally()
        var settings = PrefetchSettings()
        settings.lists = ["my list.txt", "https://host/it's.png"]
        #expect(settings.retryCommand(after: tally) == #"alcedo prefetch 'my list.txt' 'https://host/it'\''s.png'"#)
        // What is not shown cannot be typed, and what was asked for besides would be missing.
        settings.lists[1] += "?token=hush"
        #expect(settings.retryCommand(after: tally) == "with the same command")
        settings.lists.removeLast()
        settings.library.connection.isInsecure = true
        #expect(settings.retryCommand(after: tally) == "with the same command")
        settings.failedFile = "failed.txt"
        #expect(settings.retryCommand(after: tally) == "alcedo prefetch failed.txt")
        settings.isDryRun = true
        tally.failedTooOften = true
        #expect(settings.retryCommand(after: tally) == nil)
        tally.failedTooOften = false
        settings.lists = ["-"]
        #expect(settings.retryCommand(after: tally) == nil)
    }

    @Test func `a cancelled item does not count as done`() {
        var keeper = keeper()
        keeper.report(.listGrew(items: 2, isFinal: true))
        keeper.report(.finished(Fixtures.item(0, line: 1), .fetched))
        keeper.report(.finished(Fixtures.item(1, line: 2), .failed(.cancelled)))
        #expect(PrefetchText.summary(keeper.state).first?.contains("1 of 2") == true)
    }

    @Test func `a failure shows its line number, and none for an argument`() {
        var keeper = keeper()
        keeper.report(.listGrew(items: 2, isFinal: true))
        keeper.report(.finished(Fixtures.item(0, line: 93), .lost))
        keeper.report(.finished(Fixtures.item(1, line: 0), .lost))
        let text = PrefetchScreenView.frame(keeper.state, size: GridSize(columns: 100, rows: 12)).text
        #expect(text.contains("line 93  ") && !text.contains("line 0"))
    }
}
