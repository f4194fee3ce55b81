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

    @Test func nothingIsAttemptedUntilItIsTrue() async {
        let attempts = Record<Void>()
        let (next, _) = start(withNoDelay().onlyWhen(condition.stream)) { attempts.add(()) }
        condition.continuation.yield(false)
        #expect(attempts.elements.isEmpty)
        condition.continuation.yield(true)
        #expect(await next() == "success 0")
        #expect(await next() == "completion")
        #expect(await next() == nil)
    }

    @Test func turningFalseCancelsTheAttemptAndTrueStartsTheNext() async {
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

    @Test func turningFalseEndsAWaitAndTrueStartsThePolicyAfresh() async {
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

    @Test func interruptedAttemptsCountAgainstTheLimit() async {
        let attempt = EndlessAttempt()
        let retrier = withNoDelay().onlyWhen(condition.stream).giveUpAfter(maxAttempts: 1)
        let (next, _) = start(retrier) { try await attempt.run() }
        condition.continuation.yield(true)
        await attempt.untilStarted()
        condition.continuation.yield(false)
        #expect(await next() == "failure 0 CancellationError()")
        condition.continuation.yield(true)
        #expect(await next() == "completion noAttemptLeft")
        #expect(attempt.started == 1)
    }

    @Test func endingWhileFalseEndsTheRun() async {
        let (next, _) = start(withNoDelay().onlyWhen(condition.stream)) { 1 }
        condition.continuation.yield(false)
        condition.continuation.finish()
        #expect(await next() == "completion conditionEnded")
        #expect(await next() == nil)
    }

    @Test func endingWithoutAWordEndsTheRun() async {
        let (next, _) = start(withNoDelay().onlyWhen(condition.stream)) { 1 }
        condition.continuation.finish()
        #expect(await next() == "completion conditionEnded")
    }

    @Test func endingWhileTrueStaysTrue() async {
        let (next, _) = start(withNoDelay().onlyWhen(condition.stream)) { 1 }
        condition.continuation.yield(true)
        condition.continuation.finish()
        #expect(await next() == "success 1")
    }

    @Test func severalMustAllBeTrue() async {
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

    @Test func aTimeOutHoldsWhileWaitingForIt() async {
        let retrier = withNoDelay().onlyWhen(condition.stream).giveUpAfter(timeout: .seconds(30))
        let (next, _) = start(retrier) { 1 }
        condition.continuation.yield(false)
        await clock.untilSleepers()
        clock.advance(by: .seconds(30))
        #expect(await next() == "completion timedOut")
    }

    @Test func cancelledWhileWaitingForItTheRunEnds() async {
        let (next, task) = start(withNoDelay().onlyWhen(condition.stream)) { 1 }
        task.cancel()
        #expect(await next() == "completion CancellationError()")
        #expect(await next() == nil)
    }

    @Test func afterTheRunItIsNoLongerFollowed() async throws {
        let ended = Record<Void>()
        condition.continuation.onTermination = { _ in ended.add(()) }
        condition.continuation.yield(true)
        let job = withNoDelay().onlyWhen(condition.stream).job { 1 }
        #expect(try await job.value == 1)
        #expect(ended.elements.count == 1)
    }

    @Test func eachRunEvaluatesTheExpressionAnew() async throws {
        let made = Record<Void>()
        @Sendable func fresh() -> AsyncStream<Bool> {
            made.add(())
            return AsyncStream { $0.yield(true) }
        }
        let job = withNoDelay().onlyWhen(fresh()).job { 1 }
        _ = try await job.value
        _ = try await job.value
        #expect(made.elements.count == 2)
    }
}
