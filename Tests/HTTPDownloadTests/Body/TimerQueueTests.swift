import Retrying
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1))) struct TimerQueueTests {
    private let rung = Recorder<Int>()

    @Test func `alarms of the system clock fire, cancelled ones never do`() async {
        let (clock, rung) = (RunClock(ContinuousClock()), rung)
        let cancelled = clock.alarm(after: .milliseconds(100)) { rung.add(0) }
        cancelled.cancel()
        for number in 1...2 { _ = clock.alarm(after: .milliseconds(150)) { rung.add(number) } }
        await rung.until(count: 2)
        #expect(rung.all.sorted() == [1, 2])
    }

    @Test func `an alarm of another clock fires at its time unless cancelled`() async {
        let (manual, rung) = (ManualClock(), rung)
        let clock = RunClock(manual)
        _ = clock.alarm(after: .seconds(1)) { rung.add(1) }
        let cancelled = clock.alarm(after: .seconds(1)) { rung.add(0) }
        await manual.untilSleepers(2)
        cancelled.cancel()
        await until { manual.sleeperCount == 1 }
        manual.advance(by: .seconds(1))
        await rung.until(count: 1)
        #expect(rung.all == [1])
    }
}
