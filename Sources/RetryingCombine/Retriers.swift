import Foundation
@preconcurrency import OpenCombine
import Retrying

/// The work of a job: one attempt, which fails by throwing.
///
/// It runs off the main actor, unless its closure is isolated to it.
public typealias Job<Value> = @Sendable @concurrent () async throws -> Value

/// Returns a retrier with doubling delays; times in seconds.
public func withExponentialBackoff(
    timeSlot: TimeInterval = 0.5, maxDelay: TimeInterval = 60, jitter: ExponentialBackoffRetryPolicy.Jitter = .full
) -> Retrier {
    let policy = ExponentialBackoffRetryPolicy(timeSlot: timeSlot, maxDelay: maxDelay, jitter: jitter)
    return Retrier(policy: policy, conditionPublisher: nil)
}

/// Returns a retrier with the same delay every time, 1 s by default.
public func withConstantDelay(_ delay: TimeInterval = 1) -> Retrier {
    Retrier(policy: ConstantDelayRetryPolicy(delay: delay), conditionPublisher: nil)
}

/// Returns a retrier without delays.
public func withNoDelay() -> Retrier { withConstantDelay(0) }

/// The modifiers of retriers, repeaters and jobs; each returns a changed copy.
public protocol RetrierBuilder {
    /// Gives up when `giveUpCriteria` is true for a failure and the delay in seconds chosen after it.
    func giveUp(on giveUpCriteria: @escaping GiveUpCriteria) -> Self

    /// Makes attempts only while the newest value of the publisher is true; several publishers must all be true.
    ///
    /// A condition counts as false before its first value. When it turns false, it cancels a running attempt or ends a
    /// wait. When it turns true again, a new trial starts with the original policy. A publisher that finishes or fails
    /// while true stays true. One that does so while false ends the run with `RetryError.conditionPublisherCompleted`.
    func onlyWhen<P: Publisher>(_ conditionPublisher: P) -> Self where P.Output == Bool
}

extension RetrierBuilder {
    /// Allows so many attempts in a trial; 0 counts as 1.
    public func giveUpAfter(maxAttempts: UInt) -> Self { giveUp(on: afterAttempts(maxAttempts)) }

    /// Gives up when the next attempt would start so many seconds or more after the start of the trial.
    public func giveUpAfter(timeout: TimeInterval) -> Self { giveUp(on: afterSeconds(timeout)) }

    /// Gives up on errors for which `finalErrorCriteria` is true.
    public func giveUpOnErrors(
        matching finalErrorCriteria: @escaping @Sendable @MainActor (any Error) -> Bool
    ) -> Self { giveUp { failure, _ in finalErrorCriteria(failure.error) } }
}

/// A reusable description of how to repeat work until it succeeds; it runs nothing itself.
public struct Retrier: RetrierBuilder, Sendable {
    var plan: RetryPlan

    /// Creates a retrier of any policy; the first condition, if any, is like that of `onlyWhen(_:)`.
    public init(policy: any RetryPolicy, conditionPublisher: AnyPublisher<Bool, Never>?) {
        plan = RetryPlan(policy: policy)
        if let conditionPublisher { plan.addCondition(conditionPublisher) }
    }

    public func giveUp(on giveUpCriteria: @escaping GiveUpCriteria) -> Retrier {
        with(self) { $0.plan.giveUp(on: giveUpCriteria) }
    }

    public func onlyWhen<P: Publisher>(_ conditionPublisher: P) -> Retrier where P.Output == Bool {
        with(self) { $0.plan.addCondition(conditionPublisher) }
    }

    /// Waits after a success for so many seconds and repeats the work.
    public func repeating(withDelay repeatDelay: TimeInterval) -> Repeater {
        Repeater(plan: with(plan) { $0.repeatDelay = repeatDelay })
    }

    /// Combines work with this retrier; nothing is attempted before the job has a subscriber that asks for an event.
    public func job<Value: Sendable>(_ job: @escaping Job<Value>) -> JobRetrier<Value> {
        JobRetrier(job: ColdJob(plan: plan, work: job))
    }

    /// Uses another clock to measure and to wait.
    public func timed(by clock: any Clock<Duration>) -> Retrier { with(self) { $0.plan.clock = clock } }
}

/// A retrier that repeats its work after each success.
public struct Repeater: RetrierBuilder, Sendable {
    var plan: RetryPlan

    public func giveUp(on giveUpCriteria: @escaping GiveUpCriteria) -> Repeater {
        with(self) { $0.plan.giveUp(on: giveUpCriteria) }
    }

    public func onlyWhen<P: Publisher>(_ conditionPublisher: P) -> Repeater where P.Output == Bool {
        with(self) { $0.plan.addCondition(conditionPublisher) }
    }

    /// Combines work with this repeater; nothing is attempted before the job has a subscriber that asks for an event.
    public func job<Value: Sendable>(_ job: @escaping Job<Value>) -> JobRepeater<Value> {
        JobRepeater(job: ColdJob(plan: plan, work: job))
    }
}

/// All that a run needs but its work.
struct RetryPlan: Sendable {
    var policy: any RetryPolicy
    var conditions: [AnyPublisher<Bool, any Error>] = []
    var repeatDelay: TimeInterval?
    var clock: any Clock<Duration> = ContinuousClock()
    var now: @Sendable () -> Date = { Date() }

    mutating func giveUp(on giveUpCriteria: @escaping GiveUpCriteria) {
        policy = policy.giveUp(on: giveUpCriteria)
    }

    mutating func addCondition<P: Publisher>(_ publisher: P) where P.Output == Bool {
        conditions.append(publisher.mapError { $0 as any Error }.eraseToAnyPublisher())
    }

    /// Creates a run that begins now, and subscribes to its conditions at once, so that it misses no value.
    func run<Value: Sendable>(_ work: @escaping Job<Value>) -> (events: RetryJob<Value>.Iterator, start: Date) {
        let start = now()
        var retrier = Retrying.Retrier(MainActorPolicy(policy: policy, runStart: start), clock: clock)
        if !conditions.isEmpty {
            // `onlyWhen` evaluates its argument later, so the subscriptions are made before.
            let areMet = conditions.stream()
            retrier = retrier.onlyWhen(areMet)
        }
        if let repeatDelay { retrier = retrier.repeating(withDelay: repeatDelay) }
        return (retrier.job(work).makeAsyncIterator(), start)
    }
}

/// Returns a changed copy of a value.
func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var copy = value
    change(&copy)
    return copy
}

extension [AnyPublisher<Bool, any Error>] {
    /// Subscribes to all, and returns whether the newest values of all are true, in the order of their changes.
    ///
    /// The stream ends when a publisher has ended, or failed, while false; its own end ends the subscriptions.
    fileprivate func stream() -> AsyncStream<Bool> {
        let (verdicts, continuation) = AsyncStream<Bool>.makeStream()
        let board = ObservableValue(ConditionBoard(count: count))
        let subscriptions = enumerated().map { index, publisher in
            publisher.sink { _ in
                let hasEnded = board.update { board in
                    board.finish(index)
                    return board.verdict == .ended
                }
                // This ends the subscriptions, which may send values.
                if hasEnded { continuation.finish() }
            } receiveValue: { value in
                board.update { board in
                    board.report(value, of: index)
                    continuation.yield(board.verdict == .met)
                }
            }
        }
        continuation.onTermination = { _ in subscriptions.forEach { $0.cancel() } }
        return verdicts
    }
}
