import TestSupport
import Testing

@testable import ImageLoading

struct PaceJudgeTests {
    private func judge(_ change: (inout DownloadLimits) -> Void = { _ in }) -> PaceJudge {
        var limits = DownloadLimits()
        change(&limits)
        return PaceJudge(limits: limits, started: .zero)
    }

    @Test func noByteForTheIdleTimeIsAStall() {
        var judge = judge()
        #expect(judge.judge(bytes: 9_000_000, lastByte: .seconds(5), now: .seconds(35)) == nil)
        #expect(judge.judge(bytes: 9_000_000, lastByte: .seconds(5), now: .milliseconds(35_001)) == .idle)
    }

    @Test func tooFewBytesOverTheWindowIsTooSlowAlthoughSomeCame() {
        var judge = judge()
        #expect(judge.judge(bytes: 30_719, lastByte: .seconds(29), now: .seconds(29)) == nil)
        #expect(judge.judge(bytes: 30_719, lastByte: .seconds(30), now: .seconds(30)) == .rate)
    }

    @Test func exactlyTheMinimumIsEnough() {
        var judge = judge()
        #expect(judge.judge(bytes: 30_720, lastByte: .seconds(30), now: .seconds(30)) == nil)
    }

    @Test func eachWindowIsJudgedByItsOwnBytes() {
        var judge = judge()
        #expect(judge.judge(bytes: 50_000_000, lastByte: .seconds(30), now: .seconds(30)) == nil)
        #expect(judge.judge(bytes: 50_000_010, lastByte: .seconds(60), now: .seconds(60)) == .rate)
    }

    @Test func aWindowShorterThanASecondIsMeasuredToo() {
        var judge = judge {
            $0.rateWindow = .milliseconds(500)
            $0.minimumRate = 1_000
        }
        #expect(judge.judge(bytes: 499, lastByte: .milliseconds(500), now: .milliseconds(500)) == .rate)
    }

    @Test func theTotalTimeCountsWhateverThePace() {
        var judge = judge { $0.total = .seconds(10) }
        #expect(judge.judge(bytes: 50_000_000, lastByte: .seconds(10), now: .seconds(10)) == nil)
        #expect(judge.judge(bytes: 50_000_000, lastByte: .seconds(11), now: .seconds(11)) == .total)
    }
}

@Suite(.timeLimit(.minutes(1))) struct PaceTests {
    private let time = ManualTime()
    private let clock = ManualClock()

    private func violation(of pace: Pace) -> Task<ImageError, Never> {
        let clock = clock
        return Task { await pace.violation(clock: clock) }
    }

    /// Moves both clocks together, as one clock would.
    private func advance(by duration: Duration) async {
        await clock.untilSleepers()
        time.advance(by: duration)
        clock.advance(by: duration)
    }

    @Test func aTransferThatStallsIsFoundOut() async {
        let pace = Pace(limits: DownloadLimits(), now: time.read)
        let violation = violation(of: pace)
        await advance(by: .seconds(31))
        #expect(await violation.value == .response(.timedOut(.idle)))
    }

    @Test func bytesThatComeKeepItGoingUntilTheyStop() async {
        let pace = Pace(limits: DownloadLimits(), now: time.read)
        let violation = violation(of: pace)
        for step in 1...3 {
            await clock.untilSleepers()
            time.advance(by: .seconds(20))
            pace.note(bytes: step * 1_000_000)
            clock.advance(by: .seconds(20))
        }
        await advance(by: .seconds(31))
        #expect(await violation.value == .response(.timedOut(.idle)))
    }

    @Test func aDripIsTooSlow() async {
        let pace = Pace(limits: DownloadLimits(), now: time.read)
        let violation = violation(of: pace)
        await clock.untilSleepers()
        time.advance(by: .seconds(30))
        pace.note(bytes: 30)
        clock.advance(by: .seconds(30))
        #expect(await violation.value == .response(.timedOut(.rate)))
    }

    @Test func theWatchEndsWhenTheTransferDoes() async {
        let pace = Pace(limits: DownloadLimits(), now: time.read)
        let violation = violation(of: pace)
        await clock.untilSleepers()
        violation.cancel()
        #expect(await violation.value == .cancelled)
    }
}
