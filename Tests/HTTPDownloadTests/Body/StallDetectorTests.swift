import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct StallPolicyTests {
    private func judge(_ change: (inout DownloadLimits) -> Void = { _ in }) -> StallPolicy {
        var limits = DownloadLimits()
        change(&limits)
        return StallPolicy(limits: limits, started: .zero, now: .zero)
    }

    @Test func `no byte for the idle time is a stall`() {
        var judge = judge()
        #expect(judge.judge(bytes: 9_000_000, lastByte: .seconds(5), now: .milliseconds(34_999)) == nil)
        #expect(judge.judge(bytes: 9_000_000, lastByte: .seconds(5), now: .seconds(35)) == .idle)
    }

    @Test func `too few bytes over the window is too slow although some came`() {
        var judge = judge()
        #expect(judge.judge(bytes: 30_719, lastByte: .seconds(29), now: .seconds(29)) == nil)
        #expect(judge.judge(bytes: 30_719, lastByte: .seconds(30), now: .seconds(30)) == .rate)
    }

    @Test func `exactly the minimum is enough`() {
        var judge = judge()
        #expect(judge.judge(bytes: 30_720, lastByte: .seconds(30), now: .seconds(30)) == nil)
    }

    @Test func `each window is judged by its own bytes`() {
        var judge = judge()
        #expect(judge.judge(bytes: 50_000_000, lastByte: .seconds(30), now: .seconds(30)) == nil)
        #expect(judge.judge(bytes: 50_000_010, lastByte: .seconds(60), now: .seconds(60)) == .rate)
    }

    @Test func `a window shorter than a second is measured too`() {
        var judge = judge {
            $0.rateWindow = .milliseconds(500)
            $0.minimumRate = 1_000
        }
        #expect(judge.judge(bytes: 499, lastByte: .milliseconds(500), now: .milliseconds(500)) == .rate)
    }

    @Test func `the total time counts whatever the pace`() {
        var judge = judge { $0.total = .seconds(10) }
        #expect(judge.judge(bytes: 50_000_000, lastByte: .seconds(9), now: .seconds(9)) == nil)
        #expect(judge.judge(bytes: 50_000_000, lastByte: .seconds(10), now: .seconds(10)) == .total)
    }

    @Test func `the next look is at the first limit that can break`() {
        #expect(judge().nextCheck(lastByte: .seconds(5)) == .seconds(30))
        #expect(judge { $0.rateWindow = .seconds(50) }.nextCheck(lastByte: .seconds(5)) == .seconds(35))
        #expect(judge { $0.total = .seconds(7) }.nextCheck(lastByte: .seconds(5)) == .seconds(7))
    }
}

@Suite(.timeLimit(.minutes(1))) struct StallDetectorTests {
    private let clock = ManualClock()

    private func pace(started: Duration = .zero, _ change: (inout DownloadLimits) -> Void = { _ in }) -> StallDetector {
        var limits = DownloadLimits()
        change(&limits)
        return StallDetector(limits: limits, clock: TransferClock(clock), started: started)
    }

    private func violation(of pace: StallDetector) async -> DownloadError {
        await withCheckedContinuation { continuation in pace.watch { continuation.resume(returning: $0) } }
    }

    @Test func `a transfer that stalls is found out`() async {
        let pace = pace { $0.rateWindow = .seconds(99) }
        let violation = Task { await self.violation(of: pace) }
        await clock.untilSleepers()
        clock.advance(by: .seconds(30))
        #expect(await violation.value == .response(.timedOut(.idle)))
    }

    @Test func `bytes that come keep it going until they stop`() async {
        let pace = pace()
        let violation = Task { await self.violation(of: pace) }
        for step in 1...4 {
            await clock.untilSleepers()
            clock.advance(by: .seconds(29))
            pace.record(bytes: step * 1_000_000)
            clock.advance(by: .milliseconds(1))
        }
        #expect(await whileTimePasses(on: clock, violation) == .response(.timedOut(.idle)))
        #expect(clock.now.offset >= .seconds(146))
    }

    @Test func `a drip is too slow`() async {
        let pace = pace()
        let violation = Task { await self.violation(of: pace) }
        await clock.untilSleepers()
        clock.advance(by: .seconds(29))
        pace.record(bytes: 30)
        clock.advance(by: .seconds(1))
        #expect(await violation.value == .response(.timedOut(.rate)))
    }

    @Test func `the total counts from the transfer's start`() async {
        clock.advance(by: .seconds(8))
        let pace = pace(started: .seconds(0)) { $0.total = .seconds(10) }
        let violation = Task { await self.violation(of: pace) }
        await clock.untilSleepers()
        clock.advance(by: .seconds(2))
        // The clock of the pace began at 8 s.
        pace.record(bytes: 1)
        #expect(await whileTimePasses(on: clock, violation) == .response(.timedOut(.total)))
    }

    @Test func `the watch ends when the transfer does`() async {
        let pace = pace()
        pace.watch { _ in Issue.record("a violation after the end") }
        await clock.untilSleepers()
        pace.stop()
        #expect(clock.sleeperCount == 0)
    }
}
