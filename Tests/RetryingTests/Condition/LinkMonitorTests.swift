import Retrying
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LinkMonitorTests {
    let monitor = ScriptedMonitor()
    let clock = ManualClock()

    @Test func `the first element is the current state`() async {
        monitor.link.continuation.yield(false)
        #expect(await !monitor.isUp())
    }

    @Test func `a monitor without information counts as up`() async {
        monitor.link.continuation.finish()
        #expect(await monitor.isUp())
    }

    @Test func `waiting ends when the link is back`() async {
        monitor.link.continuation.yield(false)
        monitor.link.continuation.yield(true)
        #expect(await monitor.waitUntilUp(timeout: .seconds(30), clock: clock))
        #expect(clock.sleeperCount == 0)
    }

    @Test func `waiting ends at the timeout`() async {
        monitor.link.continuation.yield(false)
        let waiter = Task { await monitor.waitUntilUp(timeout: .seconds(30), clock: clock) }
        await clock.untilSleepers()
        clock.advance(by: .seconds(30))
        #expect(await waiter.value == false)
    }

    @Test func `a cancelled wait for the link ends`() async {
        monitor.link.continuation.yield(false)
        let waiter = Task { await monitor.waitUntilUp(clock: clock) }
        waiter.cancel()
        #expect(await waiter.value == false)
    }

    @Test func `a link monitor can be a condition of a retrier`() async throws {
        let job = withNoDelay().onlyWhen(monitor.updates()).job { 1 }
        monitor.link.continuation.yield(true)
        #expect(try await job.value == 1)
    }
}
