import Retrying
import TestSupport
import Testing

/// Runs bound to conditions that the test switches by hand.
@Suite(.timeLimit(.minutes(1)))
struct RetryConditionTests {
    let clock = ManualClock()
    let condition = AsyncStream<Bool>.makeStream()

    /// A retrier whose events can be awaited one by one while it runs.
    private func start(
        _ retrier: Retrier, _ work: @escaping @Sendable () async throws -> Int
    ) -> (next: () async -> String?, task: Task<Void, Never>) {
        let (events, continuation) = AsyncStream<String>.makeStream()
        let job = retrier.timed(by: clock).job(work)
        let task = Task {
            for await event in job { continuation.yield(words(event)) }
            continuation.finish()
        }
        return ({ await events.first { _ in true } }, task)
    }

    @Test func `nothing is attempted until the condition is true`() async {
        let attempts = Record<Void>()
        let (next, _) = start(withNoDelay().onlyWhen(condition.stream)) { attempts.add(()) }
        condition.continuation.yield(false)
        #expect(attempts.elements.isEmpty)
        condition.continuation.yield(true)
        #expect(await next() == "success 0")
        #expect(await next() == "completion")
        #expect(await next() == nil)
    }

    @Test func `a false condition cancels the attempt and a true one starts the next`() async {
        let attempt = EndlessAttempt()
        let (next, task) = start(withNoDelay().onlyWhen(condition.stream)) { try await attempt.run() }
        condition.continuation.yield(true)
        await attempt.untilStarted()

        condition.continuation.yield(false)
        #expect(await next() == "failure 0 CancellationError()")
        #expect(attempt.running == 0)

        condition.continuation.yield(true)
        await attempt.untilStarted()
        condition.continuation.yield(false)
        #expect(await next() == "failure 1 CancellationError()")

        task.cancel()
        #expect(await next() == "completion CancellationError()")
        #expect(await next() == nil)
        #expect(attempt.started == 2)
    }

    @Test func `a false condition ends the delay, and a true one restarts the policy`() async {
        let retrier = withExponentialBackoff(jitter: .none).onlyWhen(condition.stream)
        let (next, task) = start(retrier) { throw Broken() }
        condition.continuation.yield(true)
        #expect(await next() == "failure 0 Broken(code: 0) wait 0.5 seconds")
        await clock.untilSleepers()
        clock.advance(by: .milliseconds(500))
        #expect(await next() == "failure 1 Broken(code: 0) wait 1.0 seconds")
        await clock.untilSleepers()

        condition.continuation.yield(false)
        condition.continuation.yield(true)

        #expect(await next() == "failure 2 Broken(code: 0) wait 0.5 seconds")
        task.cancel()
        #expect(await next() == "completion CancellationError()")
    }

    @Test func `an interrupted attempt does not count towards the limit`() async {
        let attempt = EndlessAttempt()
        let retrier = withNoDelay().onlyWhen(condition.stream).giveUpAfter(maxAttempts: 1)
        let (next, task) = start(retrier) { try await attempt.run() }
        condition.continuation.yield(true)
        await attempt.untilStarted()
        condition.continuation.yield(false)
        #expect(await next() == "failure 0 CancellationError()")
        condition.continuation.yield(true)
        await attempt.untilStarted()
        task.cancel()
        #expect(await next() == "completion CancellationError()")
    }

    @Test func `after an interruption all attempts are allowed again`() async {
        let retrier = withConstantDelay().onlyWhen(condition.stream).giveUpAfter(maxAttempts: 2)
        let (next, _) = start(retrier) { throw Broken() }
        condition.continuation.yield(true)
        #expect(await next() == "failure 0 Broken(code: 0) wait 1.0 seconds")
        await clock.untilSleepers()
        condition.continuation.yield(false)
        condition.continuation.yield(true)
        #expect(await next() == "failure 1 Broken(code: 0) wait 1.0 seconds")
        await clock.untilSleepers()
        clock.advance(by: .seconds(1))
        #expect(await next() == "failure 2 Broken(code: 0)")
        #expect(await next() == "completion Broken(code: 0)")
    }

    @Test func `the time before an interruption does not count towards the timeout`() async {
        let retrier = withConstantDelay().onlyWhen(condition.stream).giveUpAfter(timeout: .seconds(2))
        let (next, _) = start(retrier) { throw Broken() }
        condition.continuation.yield(true)
        #expect(await next() == "failure 0 Broken(code: 0) wait 1.0 seconds")
        await clock.untilSleepers()
        condition.continuation.yield(false)
        await clock.untilNoSleepers()
        clock.advance(by: .seconds(600))
        condition.continuation.yield(true)
        #expect(await next() == "failure 1 Broken(code: 0) wait 1.0 seconds")
        await clock.untilSleepers()
        clock.advance(by: .seconds(1))
        #expect(await next() == "failure 2 Broken(code: 0)")
        #expect(await next() == "completion Broken(code: 0)")
    }

    @Test func `a condition that ends while false ends the run`() async {
        let (next, _) = start(withNoDelay().onlyWhen(condition.stream)) { 1 }
        condition.continuation.yield(false)
        condition.continuation.finish()
        #expect(await next() == "completion conditionEnded")
        #expect(await next() == nil)
    }

    @Test func `a condition that ends without a value ends the run`() async {
        let (next, _) = start(withNoDelay().onlyWhen(condition.stream)) { 1 }
        condition.continuation.finish()
        #expect(await next() == "completion conditionEnded")
    }

    @Test func `a condition that ends while true stays true`() async {
        let (next, _) = start(withNoDelay().onlyWhen(condition.stream)) { 1 }
        condition.continuation.yield(true)
        condition.continuation.finish()
        #expect(await next() == "success 1")
    }

    @Test func `several conditions must all be true`() async {
        let other = AsyncStream<Bool>.makeStream()
        let attempt = EndlessAttempt()
        let retrier = withNoDelay().onlyWhen(condition.stream).onlyWhen(other.stream)
        let (next, task) = start(retrier) { try await attempt.run() }
        condition.continuation.yield(true)
        #expect(attempt.started == 0)
        other.continuation.yield(true)
        await attempt.untilStarted()
        condition.continuation.yield(false)
        #expect(await next() == "failure 0 CancellationError()")
        task.cancel()
        #expect(await next() == "completion CancellationError()")
    }

    @Test(arguments: [false, true])
    func `the wait for the condition does not count towards the timeout`(abortingAttempt: Bool) async {
        let retrier = withNoDelay().onlyWhen(condition.stream)
            .giveUpAfter(timeout: .seconds(30), abortingAttempt: abortingAttempt)
        let (next, _) = start(retrier) { 1 }
        condition.continuation.yield(false)
        clock.advance(by: .seconds(600))
        condition.continuation.yield(true)
        #expect(await next() == "success 1")
        #expect(await next() == "completion")
    }

    @Test func `cancelling while waiting for the condition ends the run`() async {
        let (next, task) = start(withNoDelay().onlyWhen(condition.stream)) { 1 }
        task.cancel()
        #expect(await next() == "completion CancellationError()")
        #expect(await next() == nil)
    }

    @Test func `the condition is observed until the retrier is released`() async throws {
        let (ended, sink) = AsyncStream<Void>.makeStream()
        condition.continuation.onTermination = { _ in sink.yield() }
        condition.continuation.yield(true)
        #expect(try await withNoDelay().onlyWhen(condition.stream).job { 1 }.value == 1)
        #expect(await ended.first { _ in true } != nil)
    }

    @Test func `one retrier with one condition serves concurrent and consecutive jobs`()
        async throws
    {
        let retrier = withNoDelay().onlyWhen(condition.stream)
        async let first = retrier.job { 1 }.value
        async let second = retrier.job { 2 }.value
        condition.continuation.yield(true)
        #expect(try await [first, second] == [1, 2])
        #expect(try await retrier.job { 3 }.value == 3)

        let attempt = EndlessAttempt()
        let (next, _) = start(retrier) { try await attempt.run() }
        await attempt.untilStarted()
        condition.continuation.yield(false)
        condition.continuation.finish()
        while let event = await next() { if event == "completion conditionEnded" { break } }
        await #expect(throws: RetrierError.conditionEnded) { try await retrier.job { 5 }.value }
    }

    @Test func `the condition expression is evaluated once`() async throws {
        let made = Record<Void>()
        @Sendable func fresh() -> AsyncStream<Bool> {
            made.add(())
            return AsyncStream { $0.yield(true) }
        }
        let job = withNoDelay().onlyWhen(fresh()).job { 1 }
        #expect(made.elements.isEmpty)
        _ = try await job.value
        _ = try await job.value
        #expect(made.elements.count == 1)
    }
}
