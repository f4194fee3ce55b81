import Retrying
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct StallPolicyTests {
    private func judge(_ change: (inout DownloadLimits) -> Void = { _ in }) -> StallPolicy {
        var limits = DownloadLimits()
        change(&limits)
        return StallPolicy(limits: limits, now: .zero)
    }

    @Test func `no byte within the idle time is a stall`() {
        var judge = judge()
        #expect(judge.judge(bytes: 9_000_000, lastByte: .seconds(5), now: .milliseconds(34_999)) == nil)
        #expect(judge.judge(bytes: 9_000_000, lastByte: .seconds(5), now: .seconds(35)) == .idle)
    }

    @Test func `too few bytes within the window is too slow`() {
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

    @Test func `a window shorter than a second is checked too`() {
        var judge = judge {
            $0.rateWindow = .milliseconds(500)
            $0.minimumRate = 1_000
        }
        #expect(judge.judge(bytes: 499, lastByte: .milliseconds(500), now: .milliseconds(500)) == .rate)
    }

    @Test func `the next check is scheduled at the earliest limit`() {
        #expect(judge().nextCheck(lastByte: .seconds(5)) == .seconds(30))
        #expect(judge { $0.rateWindow = .seconds(50) }.nextCheck(lastByte: .seconds(5)) == .seconds(35))
        #expect(judge { $0.idle = .seconds(2) }.nextCheck(lastByte: .seconds(5)) == .seconds(7))
    }
}

@Suite(.timeLimit(.minutes(1))) struct StallDetectorTests {
    private let clock = ManualClock()

    private func pace(_ change: (inout DownloadLimits) -> Void = { _ in }) -> StallDetector {
        var limits = DownloadLimits()
        change(&limits)
        return StallDetector(limits: limits, clock: RunClock(clock))
    }

    private func violation(of pace: StallDetector) async -> DownloadError {
        await withCheckedContinuation { continuation in pace.watch { continuation.resume(returning: $0) } }
    }

    @Test func `a stalled transfer is detected`() async {
        let pace = pace { $0.rateWindow = .seconds(99) }
        let violation = Task { await self.violation(of: pace) }
        await clock.untilSleepers()
        clock.advance(by: .seconds(30))
        #expect(await violation.value == .response(.timedOut(.idle)))
    }

    @Test func `received bytes postpone the idle timeout`() async {
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

    @Test func `a slow drip violates the minimum rate`() async {
        let pace = pace()
        let violation = Task { await self.violation(of: pace) }
        await clock.untilSleepers()
        clock.advance(by: .seconds(29))
        pace.record(bytes: 30)
        clock.advance(by: .seconds(1))
        #expect(await violation.value == .response(.timedOut(.rate)))
    }

    @Test func `stopping ends the watch`() async {
        let pace = pace()
        pace.watch { _ in Issue.record("a violation after the end") }
        await clock.untilSleepers()
        pace.stop()
        #expect(clock.sleeperCount == 0)
    }
}
