import Retrying
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NetworkRetryStrategyTests {
    let monitor = ScriptedMonitor()
    let clock = ManualClock()

    private func retrier(retries: Int = 2, timeout: Duration? = nil, host: String = "a.example") -> Retrier {
        NetworkRetryStrategy(maxRetryCount: retries, timeout: timeout, monitor: monitor, clock: clock)
            .retrier(for: host)
    }

    @Test func `with a link the number of retries is limited`() async {
        monitor.link.continuation.yield(true)
        let attempts = Record<Int>()
        let all = await words(of: retrier().job { () throws -> Int in throw Broken(code: attempts.add(0)) })
        #expect(attempts.elements.count == 3)
        #expect(all.last == "completion Broken(code: 2)")
    }

    @Test func `after a failure the next attempt waits for the link`() async throws {
        monitor.link.continuation.yield(true)
        let attempts = Record<Int>()
        let link = monitor.link.continuation
        let value = try await retrier().job { () throws -> String in
            guard attempts.add(0) == 0 else { return "done" }
            link.yield(false)
            link.yield(true)
            throw Broken()
        }.value
        #expect(value == "done")
        #expect(attempts.elements.count >= 2)
    }

    @Test func `attempts that a lost link cancels count, so that a link that flaps makes no endless run`() async {
        let link = monitor.link.continuation
        let attempt = EndlessAttempt()
        let run = Task { [retrier = retrier(retries: 1)] in await words(of: retrier.job { try await attempt.run() }) }
        for _ in 0..<2 {
            link.yield(true)
            await attempt.untilStarted()
            link.yield(false)
        }
        link.yield(true)
        #expect(
            await run.value == [
                "failure 0 CancellationError()", "failure 1 CancellationError()", "completion noAttemptLeft",
            ])
    }

    @Test func `a link that stays down for the timeout ends the run`() async {
        monitor.link.continuation.yield(false)
        let job = retrier(timeout: .seconds(30)).job { 1 }
        let run = Task { await words(of: job) }
        await clock.untilSleepers()
        clock.advance(by: .seconds(30))
        #expect(await run.value == ["completion conditionEnded"])
    }

    @Test func `a link that comes back in time lets the attempt start`() async throws {
        monitor.link.continuation.yield(false)
        let job = retrier(timeout: .seconds(30)).job { 1 }
        let run = Task { try await job.value }
        await clock.untilSleepers()
        monitor.link.continuation.yield(true)
        #expect(try await run.value == 1)
    }

    @Test(arguments: [
        "localhost", "pictures.localhost", "127.0.0.1", "127.3.2.1", "127.0.0.1:80", "::1", "[::1]:80", "LOCALHOST",
    ])
    func `a local host needs no link`(host: String) async throws {
        monitor.link.continuation.yield(false)
        #expect(try await retrier(host: host).job { 1 }.value == 1)
    }

    @Test func `the largest count does not overflow`() async throws {
        #expect(try await retrier(retries: .max, host: "localhost").job { 1 }.value == 1)
    }
}
