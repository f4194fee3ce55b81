import Retrying
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LinkMonitorTests {
    let monitor = ScriptedMonitor()
    let clock = ManualClock()

    @Test func theFirstWordIsTheStateNow() async {
        monitor.link.continuation.yield(false)
        #expect(await !monitor.isUp())
    }

    @Test func aMonitorThatKnowsNothingCountsAsUp() async {
        monitor.link.continuation.finish()
        #expect(await monitor.isUp())
    }

    @Test func waitingEndsWhenTheLinkIsBack() async {
        monitor.link.continuation.yield(false)
        monitor.link.continuation.yield(true)
        #expect(await monitor.waitUntilUp(timeout: .seconds(30), clock: clock))
        #expect(clock.sleeperCount == 0)
    }

    @Test func waitingEndsAtTheTimeOut() async {
        monitor.link.continuation.yield(false)
        let waiter = Task { await monitor.waitUntilUp(timeout: .seconds(30), clock: clock) }
        await clock.untilSleepers()
        clock.advance(by: .seconds(30))
        #expect(await waiter.value == false)
    }

    @Test func aCancelledWaitEnds() async {
        monitor.link.continuation.yield(false)
        let waiter = Task { await monitor.waitUntilUp(clock: clock) }
        waiter.cancel()
        #expect(await waiter.value == false)
    }

    @Test func itIsAConditionOfARetrier() async throws {
        let job = withNoDelay().onlyWhen(monitor.updates()).job { 1 }
        monitor.link.continuation.yield(true)
        #expect(try await job.value == 1)
    }
}
