import AlcedoScreen
import Raster
import TestSupport
import Testing

@testable import AlcedoBrowserCore

@Suite("The progress of a prefetch", .timeLimit(.minutes(1)))
struct PrefetchScreenTests {
    private var empty: PrefetchScreenState { PrefetchScreenState(title: "photos.txt") }

    /// A prefetch that is half done.
    private func sketch() -> PrefetchScreenState {
        var state = empty
        state.tick(milliseconds: 0, received: 0)
        state.listGrew(items: 2600, isFinal: true)
        for second in 1...30 {
            for item in 0..<38 {
                state.finish(second * 100 + item, .fetched, bytes: 204_800)
            }
            state.tick(milliseconds: second * 1000, received: second * 38 * 204_800)
        }
        for line in 0..<61 { state.finish(line, .hit, bytes: 150_000) }
        state.transfer(90, name: "glacier.jpg", host: "images.example.org", received: 0, total: 2_000_000)
        state.transfer(91, name: "harbour.gif", host: "cdn.example.net", received: 0, total: nil)
        state.tick(milliseconds: 31_000, received: 30 * 38 * 204_800)
        state.transfer(90, name: "glacier.jpg", host: "images.example.org", received: 1_220_000, total: 2_000_000)
        state.transfer(91, name: "harbour.gif", host: "cdn.example.net", received: 318_464, total: nil)
        state.tick(milliseconds: 31_000, received: 30 * 38 * 204_800 + 1_538_464)
        state.waitForRetry(88)
        state.fail(
            88, line: 88, location: "https://images.example.org/2026/07/jetty.jpg", reason: "404 Not Found",
            kind: "404 Not Found")
        state.fail(
            89, line: 89, location: "https://old.example.com/\u{1B}[2J/pier.jpg", reason: "timed out", kind: "timed out"
        )
        return state
    }

    @Test
    func `100 columns: totals, counts, transfers, failures`() throws {
        let frame = PrefetchScreenView.frame(sketch(), size: GridSize(columns: 100, rows: 20))
        #expect(try Golden.mismatch(of: frame.text, with: "block") == nil)
        #expect(frame.faults.isEmpty)
    }

    @Test
    func `60 columns: only the most important facts`() throws {
        let frame = PrefetchScreenView.frame(sketch(), size: GridSize(columns: 60, rows: 4))
        #expect(try Golden.mismatch(of: frame.text, with: "narrow") == nil)
    }

    @Test
    func `40 columns: a readable name and the bytes received`() throws {
        let frame = PrefetchScreenView.frame(sketch(), size: GridSize(columns: 40, rows: 8))
        #expect(try Golden.mismatch(of: frame.text, with: "narrowest") == nil)
    }

    @Test
    func `a host has at most as many rows as its transfer limit, and waiting transfers follow`() {
        var state = PrefetchScreenState(title: "photos.txt", perHost: 2)
        for line in 0..<5 {
            state.transfer(line, name: "\(line).png", host: "a.example", received: 0, total: nil)
        }
        state.transfer(9, name: "9.png", host: "b.example", received: 0, total: nil)
        #expect(shownNames(state) == ["0.png", "1.png", "9.png"])
        state.finish(0, .fetched, bytes: 10)
        #expect(shownNames(state) == ["2.png", "1.png", "9.png"])
    }

    @Test
    func `a waiting transfer gives its row to a running one`() {
        var state = PrefetchScreenState(title: "photos.txt", perHost: 2)
        for line in 0..<4 {
            state.transfer(line, name: "\(line).png", host: "a.example", received: 0, total: nil)
        }
        state.waitForHost(0)
        state.waitForRetry(1)
        #expect(shownNames(state) == ["2.png", "3.png"])
        state.finish(2, .fetched, bytes: 10)
        state.resume(0)
        state.transfer(0, name: "0.png", host: "a.example", received: 0, total: nil)
        #expect(shownNames(state) == ["0.png", "3.png"])
    }

    private func shownNames(_ state: PrefetchScreenState) -> [String] {
        (0..<TransferBoard.places).compactMap { state.board.transfer(at: $0)?.name }
    }

    @Test
    func `the summary shows totals, duration, failures and the retry command`() throws {
        let lines = PrefetchText.summary(sketch(), retryCommand: "alcedo prefetch failed.txt")
        #expect(try Golden.mismatch(of: lines.joined(separator: "\n") + "\n", with: "summary") == nil)
    }

    @Test
    func `the plain line contains all counts`() {
        #expect(
            PrefetchText.plainLine(sketch())
                == "photos.txt: 1,203 of 2,600 (46 %), fetched 1,140, hits 61, failed 2, retried 1, 6.9 MiB/s, 35 s left"
        )
    }

    @Test
    func `rates are smoothed over fifteen seconds`() {
        var meter = RateMeter()
        #expect(meter.bytes == nil)
        for second in 0...60 {
            let bytes = second <= 40 ? second * 1000 : 40_000
            meter.add(RateMeter.Sample(milliseconds: second * 1000, bytes: bytes, items: second))
            if second == 40 { #expect(meter.bytes == 1000) }
            if second == 49 { #expect(meter.bytes == 400) }
        }
        #expect(meter.bytes == 0)
        #expect(meter.items == 1)
    }

    @Test
    func `while the list is still read neither percentage nor remaining time is shown`() {
        var state = empty
        state.tick(milliseconds: 0, received: 0)
        state.listGrew(items: 100, isFinal: false)
        state.finish(1, .hit, bytes: 1)
        state.tick(milliseconds: 1000, received: 0)
        #expect(state.secondsLeft == nil)
        #expect(!PrefetchText.plainLine(state).contains("%"))
    }

    @Test func `a remaining time below one second is not shown`() {
        var state = empty
        state.tick(milliseconds: 0, received: 0)
        state.listGrew(items: 9, isFinal: true)
        for line in 1...8 { state.finish(line, .fetched, bytes: 1) }
        state.tick(milliseconds: 1_000, received: 0)
        #expect(state.secondsLeft == nil && !PrefetchText.plainLine(state).contains("left"))
    }

    @Test
    func `waiting items are counted, and if no others end the remaining time is unknown`() {
        var state = empty
        state.tick(milliseconds: 0, received: 0)
        state.listGrew(items: 9, isFinal: true)
        for line in 1...4 { state.finish(line, .fetched, bytes: 1) }
        state.waitForHost(5)
        state.waitForHost(6)
        state.waitForHost(7)
        state.tick(milliseconds: 1_000, received: 0)
        #expect(PrefetchText.plainLine(state).contains("waiting 3") && state.secondsLeft != nil)
        state.tick(milliseconds: 3_000, received: 0)
        #expect(state.secondsLeft == nil)
        state.resume(5)
        state.cancel(6)
        state.finish(7, .fetched, bytes: 1)
        state.tick(milliseconds: 3_500, received: 0)
        #expect(!PrefetchText.plainLine(state).contains("waiting") && state.secondsLeft != nil)
    }

    @Test
    func `received bytes count for every outcome, bytes of cache hits as saved`() {
        var state = empty
        state.finish(1, .fetched, bytes: 100)
        state.finish(3, .hit, bytes: 7)
        state.finish(4, .skipped, bytes: 9)
        state.fail(5, line: 5, location: "x", reason: "cut off", kind: "cut off")
        state.tick(milliseconds: 1_000, received: 150)
        #expect(state.receivedBytes == 150 && state.savedBytes == 7 && state.done == 4)
        #expect(PrefetchText.summary(state).contains { $0.contains("150 B transferred") })
    }

    @Test
    func `without reports of each failure the summary names the first of each reason`() {
        var state = empty
        for line in 1...7 {
            state.fail(
                line, line: line, location: "https://a.example/\(line).png", reason: "cut off after \(line)",
                kind: "cut off")
        }
        state.fail(8, line: 0, location: "https://b.example/", reason: "404", kind: "404")
        let lines = PrefetchText.summary(state, naming: .firstAndAdvice)
        #expect(lines.contains("       line 5  https://a.example/5.png"))
        #expect(lines.contains("       and 2 more; --failed FILE writes all of them to a list"))
        #expect(lines.last == "       https://b.example/")
        #expect(PrefetchText.summary(state, naming: .first).contains("       and 2 more"))
        #expect(PrefetchText.summary(state).allSatisfy { !$0.contains("example") })
    }

    @Test
    func `the notice of a host has its own row, which stays empty afterwards`() {
        func rows(_ state: PrefetchScreenState, columns: Int = 79, rows: Int = 9) -> [Substring] {
            PrefetchScreenView.frame(state, size: GridSize(columns: columns, rows: rows)).text.split(separator: "\n")
        }
        let text = "has failed for too long; its pictures fail at once"
        var state = empty
        state.setNotice(text, of: "images.example.org")
        state.setNotice(nil, of: "b.example")
        #expect(rows(state)[2] == "   ‖ images.example.org   \(text)")
        #expect(rows(state, columns: 40)[2] == "   ‖ image…le.org   has failed for too …")
        // The line names the latest host and counts the others.
        state.setNotice("keeps failing", of: "c.example")
        state.setNotice("keeps failing", of: "images.example.org")
        #expect(rows(state)[2] == "   ‖ images.example.org   keeps failing   and 1 more")
        state.setNotice(nil, of: "images.example.org")
        #expect(rows(state)[2] == "   ‖ c.example   keeps failing")
        state.setNotice(nil, of: "c.example")
        #expect(PrefetchScreenView.frame(state, size: GridSize(columns: 79, rows: 9)).size.rows == 3)
        #expect(PrefetchScreenView.frame(state, size: GridSize(columns: 79, rows: 2)).size.rows == 2)
    }

    @Test
    func `the notices of the last eight hosts are kept`() {
        var state = empty
        for number in 0..<100 { state.setNotice("keeps failing", of: "\(number).example") }
        #expect(state.notices.map(\.host) == (92..<100).map { "\($0).example" })
    }

    @Test
    func `if all remaining items wait for a retry the remaining time is unknown`() {
        var state = empty
        state.tick(milliseconds: 0, received: 0)
        state.listGrew(items: 6, isFinal: true)
        for line in 1...4 { state.finish(line, .fetched, bytes: 1) }
        state.tick(milliseconds: 1_000, received: 0)
        state.waitForRetry(5)
        state.tick(milliseconds: 4_000, received: 0)
        #expect(PrefetchText.plainLine(state).contains("waiting 1") && state.secondsLeft != nil)
        state.waitForRetry(6)
        #expect(PrefetchText.plainLine(state).contains("waiting 2") && state.secondsLeft == nil)
        state.resume(5)
        #expect(state.secondsLeft != nil)
    }

    @Test
    func `a transfer keeps its row until it ends; a waiting one takes over the row`() {
        var board = TransferBoard()
        for line in 0..<10 { board.update(line, name: "\(line)", host: "", received: 0, total: nil, at: 0) }
        board.remove(3)
        #expect((0..<8).map { board.transfer(at: $0)?.name } == ["0", "1", "2", "8", "4", "5", "6", "7"])
        for line in [0, 1, 2, 4, 5, 6, 7, 9] { board.remove(line) }
        #expect(board.height == 8)
        #expect(board.count == 1)
    }

    @Test
    func `only the last three failures are kept, and a bounded number of reasons`() {
        var state = empty
        for line in 0..<100 {
            state.fail(line, line: line, location: "x", reason: "reason \(line)", kind: "reason \(line % 40)")
        }
        #expect(state.failures.map(\.line) == [97, 98, 99])
        #expect(state.reasons.count == PrefetchScreenState.countedReasons + 1)
        #expect(state.reasons.values.map(\.count).reduce(0, +) == 100)
    }

    @Test(arguments: 0...12)
    func `the block is never higher than the given rows`(rows: Int) {
        for columns in [0, 1, 20, 59, 300] {
            let frame = PrefetchScreenView.frame(sketch(), size: GridSize(columns: columns, rows: rows))
            #expect(frame.size.rows <= rows)
            #expect(frame.faults.isEmpty)
        }
    }

    @Test
    func `extreme numbers do not trap`() {
        var state = empty
        state.tick(milliseconds: .max, received: 0)
        state.listGrew(items: .max, isFinal: true)
        state.transfer(.min, name: "", host: "", received: .max, total: .min)
        state.transfer(.min, name: "", host: "", received: .min, total: .max)
        state.finish(.max, .fetched, bytes: .max)
        state.finish(1, .fetched, bytes: .max)
        state.finish(1, .hit, bytes: .min)
        state.tick(milliseconds: .min, received: .max)
        #expect(state.receivedBytes == .max)
        #expect(PrefetchScreenView.frame(state, size: GridSize(columns: 80, rows: 9)).faults.isEmpty)
        #expect(!PrefetchText.summary(state).isEmpty)
    }

    @Test func `the addresses of failures are aligned`() {
        var state = PrefetchScreenState(title: "list")
        for (item, line) in [(1, 43), (2, 168), (3, 7)] {
            state.fail(item, line: line, location: "https://a/\(line).jpg", reason: "404", kind: "404")
        }
        let frame = PrefetchScreenView.frame(state, size: GridSize(columns: 60, rows: 9))
        let failures = frame.text.split(separator: "\n").filter { $0.contains("✗") }
        #expect(failures.map { $0.prefix(14) } == ["   ✗ line  43 ", "   ✗ line 168 ", "   ✗ line   7 "])
    }
}
