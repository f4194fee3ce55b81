import Retrying
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LinkMonitorTests {
    @Test func `a link monitor can be a condition of a retrier`() async throws {
        let monitor = ScriptedMonitor()
        let job = withNoDelay().onlyWhen(monitor.updates()).job { 1 }
        monitor.link.continuation.yield(true)
        #expect(try await job.value == 1)
    }
}
