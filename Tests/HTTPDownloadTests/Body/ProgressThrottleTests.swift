import Retrying
import Synchronization
import TestSupport
import Testing

@testable import AlcedoHTTPDownload
@testable import AlcedoHTTPRequests

@Suite(.timeLimit(.minutes(1)))
struct ProgressThrottleTests {
    private let clock = ManualClock()
    private let sent = Recorder<Int>()

    private func throttle() -> ProgressThrottle {
        ProgressThrottle(clock: RunClock(clock), send: sent.add)
    }

    @Test func `at most ten reports a second pass, and the last one always does`() async {
        // Given a report every 10 ms
        let throttle = throttle()
        for received in 1...30 {
            throttle.record(received)
            if received > 1 { await clock.untilSleepers() }
            clock.advance(by: .milliseconds(10))
            // When 100 ms have passed, the latest count is sent
            if received.isMultiple(of: 10) { await sent.until(count: received / 10 + 1) }
        }
        // Then the last one follows at once
        throttle.finish(100)
        #expect(sent.all == [1, 10, 20, 30, 100])
    }

    @Test func `a withheld report is sent once in the next pause`() async {
        // Given two pieces at once, of which the second is held back
        let throttle = throttle()
        throttle.record(6)
        clock.advance(by: .milliseconds(30))
        throttle.record(50)
        // When nothing comes for a while
        await clock.untilSleepers()
        clock.advance(by: .milliseconds(69))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .milliseconds(1))
        // Then it is told once
        await sent.until(count: 2)
        #expect(sent.all == [6, 50])
        #expect(clock.sleeperCount == 0)
    }

    @Test func `after stop nothing is reported`() async {
        let throttle = throttle()
        throttle.record(6)
        throttle.record(50)
        await clock.untilSleepers()
        throttle.stop()
        await clock.untilNoSleepers()
        clock.advance(by: .seconds(1))
        throttle.record(51)
        #expect(sent.all == [6, 51])
        #expect(clock.sleeperCount == 0)
    }

    @Test func `the final count is reported exactly once`() {
        let (whole, empty) = (throttle(), throttle())
        whole.record(6)
        whole.finish(6)
        #expect(sent.all == [6])
        empty.finish(0)
        #expect(sent.all == [6, 0])
    }
}
