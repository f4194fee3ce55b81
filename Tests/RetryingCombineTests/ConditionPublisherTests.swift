import Foundation
import RetryingCombine
import TestSupport
import Testing

/// Runs bound to publishers that the test drives by hand, and what a trial is.
@Suite(.timeLimit(.minutes(1)))
struct ConditionPublisherTests {
    let clock = ManualClock()
    let heard = Heard()

    @Test func `a value sent right after the subscription is not missed`() async {
        let condition = PassthroughSubject<Bool, Never>()
        let cancellable = heard.subscribe(to: withNoDelay().onlyWhen(condition).job { 1 })
        condition.send(false)
        condition.send(true)
        await heard.untilFinished()
        #expect(heard.all == ["success 1", "completion", "finished"])
        withExtendedLifetime(cancellable) {}
    }

    @Test func `an interruption cancels the attempt silently, and a new trial begins`() async {
        let (condition, attempt) = (CurrentValueSubject<Bool, Never>(true), EndlessAttempt())
        let trials = Recorder<Int>()
        let job = withConstantDelay().timed(by: clock).onlyWhen(condition).giveUpAfter(maxAttempts: 2).job {
            trials.add(0)
            if trials.all.count == 2 { return try await attempt.run() }
            throw Broken(code: trials.all.count)
        }
        let cancellable = heard.subscribe(to: job)
        await clock.untilSleepers()
        clock.advance(by: .seconds(1))
        await attempt.starts.until(count: 1)
        condition.send(false)
        await attempt.ends.until(count: 1)
        condition.send(true)
        await heard.until(count: 2)
        await clock.untilSleepers()
        clock.advance(by: .seconds(1))
        await heard.untilFinished()
        #expect(
            heard.all == [
                "failure 0 Broken(code: 1)", "failure 0 Broken(code: 3)", "failure 1 Broken(code: 4)",
                "completion Broken(code: 4)", "finished",
            ])
        withExtendedLifetime(cancellable) {}
    }

    @Test func `the timeout counts neither the wait for the condition nor earlier trials`() async {
        let condition = CurrentValueSubject<Bool, Never>(false)
        let job = withConstantDelay(1).timed(by: clock).onlyWhen(condition).giveUpAfter(timeout: 2)
            .job(Attempts(failing: 99).run)
        let cancellable = heard.subscribe(to: job)
        clock.advance(by: .seconds(600))
        condition.send(true)
        await clock.untilSleepers()
        condition.send(false)
        await clock.untilNoSleepers()
        clock.advance(by: .seconds(600))
        condition.send(true)
        await clock.untilSleepers()
        clock.advance(by: .seconds(1))
        await heard.untilFinished()
        #expect(
            heard.all == [
                "failure 0 Broken(code: 1)", "failure 0 Broken(code: 2)", "failure 1 Broken(code: 3)",
                "completion Broken(code: 3)", "finished",
            ])
        withExtendedLifetime(cancellable) {}
    }

    @Test(arguments: [[], [false], [true, false]])
    func `a condition that finishes without true as its last value ends the run with an error`(
        values: [Bool]
    ) async {
        let job = withNoDelay().onlyWhen(values.publisher).job(EndlessAttempt().run)
        let cancellable = heard.subscribe(to: job)
        await heard.untilFinished()
        #expect(heard.all == ["completion conditionPublisherCompleted", "finished"])
        await #expect(throws: RetryError.conditionPublisherCompleted) { try await job.value }
        withExtendedLifetime(cancellable) {}
    }

    @Test func `a condition that finishes with true stays true`() async throws {
        #expect(try await withNoDelay().onlyWhen([false, true].publisher).job { 1 }.value == 1)
    }

    @Test func `a condition that fails has finished with its last value`() async throws {
        let condition = PassthroughSubject<Bool, Broken>()
        let cancellable = heard.subscribe(to: withNoDelay().onlyWhen(condition).job { 1 })
        condition.send(false)
        condition.send(completion: .failure(Broken()))
        await heard.untilFinished()
        #expect(heard.all == ["completion conditionPublisherCompleted", "finished"])
        let good = Just(true).setFailureType(to: Broken.self).append(Fail(error: Broken()))
        #expect(try await withNoDelay().onlyWhen(good).job { 1 }.value == 1)
        withExtendedLifetime(cancellable) {}
    }

    @Test func `all conditions must be true, the first from the initializer`() async {
        let (first, second) = (CurrentValueSubject<Bool, Never>(true), CurrentValueSubject<Bool, Never>(false))
        let attempts = Attempts()
        let retrier = Retrier(
            policy: ConstantDelayRetryPolicy(delay: 0), conditionPublisher: first.eraseToAnyPublisher())
        let cancellable = heard.subscribe(to: retrier.onlyWhen(second).job(attempts.run))
        first.send(false)
        second.send(true)
        for _ in 0..<200 { await Task.yield() }
        #expect(attempts.count == 0)
        first.send(true)
        await heard.untilFinished()
        #expect(heard.all == ["success 1", "completion", "finished"])
        withExtendedLifetime(cancellable) {}
    }

    @Test func `each run subscribes to the condition, and unsubscribes at its end`() async throws {
        let (starts, ends) = (Recorder<Int>(), Recorder<Int>())
        let condition = CurrentValueSubject<Bool, Never>(true)
            .handleEvents(receiveSubscription: { _ in starts.add(0) }, receiveCancel: { ends.add(0) })
        let job = withNoDelay().onlyWhen(condition).job { 1 }
        #expect(starts.all.isEmpty)
        _ = try await job.value
        _ = try await job.value
        await ends.until(count: 2)
        #expect(starts.all.count == 2)
    }

    @Test func `a publisher may send values while the run unsubscribes`() async {
        let (first, second) = (CurrentValueSubject<Bool, Never>(true), PassthroughSubject<Bool, Never>())
        let sending = PassthroughSubject<Bool, Never>().handleEvents(receiveCancel: { first.send(true) })
        let job = withNoDelay().onlyWhen(sending).onlyWhen(first).onlyWhen(second).job { 1 }
        let cancellable = heard.subscribe(to: job)
        second.send(completion: .finished)
        await heard.untilFinished()
        #expect(heard.all == ["completion conditionPublisherCompleted", "finished"])
        withExtendedLifetime(cancellable) {}
    }

    @Test func `a cancelled run unsubscribes from the condition, too`() async {
        let ends = Recorder<Int>()
        let condition = PassthroughSubject<Bool, Never>().handleEvents(receiveCancel: { ends.add(0) })
        heard.subscribe(to: withNoDelay().onlyWhen(condition).job { 1 }).cancel()
        await ends.until(count: 1)
        #expect(heard.all.isEmpty)
    }

    @Test func `a condition interrupts a repeater's wait, and a finished false one ends it`() async {
        let condition = CurrentValueSubject<Bool, Never>(true)
        let job = withNoDelay().timed(by: clock).onlyWhen(condition).repeating(withDelay: 30).job(Attempts().run)
        let cancellable = heard.subscribe(to: job)
        await clock.untilSleepers()
        condition.send(false)
        await clock.untilNoSleepers()
        condition.send(true)
        await heard.until(count: 2)
        await clock.untilSleepers()
        condition.send(false)
        condition.send(completion: .finished)
        await heard.untilFinished()
        #expect(heard.all == ["success 1", "success 2", "completion conditionPublisherCompleted", "finished"])
        withExtendedLifetime(cancellable) {}
    }
}
