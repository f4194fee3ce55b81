import Foundation
@preconcurrency import OpenCombine
import Retrying
import Synchronization

/// The events of a run, in order; the last one is always exactly one completion.
public enum RetrierEvent<Output: Sendable>: Sendable {
    /// An attempt returned a value.
    case attemptSuccess(Output)
    /// An attempt threw an error.
    case attemptFailure(AttemptFailure)
    /// The run is over: nil after a success, otherwise the reason, usually the newest attempt's error.
    case completion((any Error)?)
}

/// The reason why a run ended that is no error of an attempt.
public enum RetryError: LocalizedError, Sendable {
    /// A condition finished, or failed, without true as its last value.
    case conditionPublisherCompleted

    public var errorDescription: String? { "the condition for attempts ended while it was false" }
}

/// A retrier with its work: a cold publisher of its events on the main queue.
///
/// Each subscription is a run of its own, and cancelling it cancels the attempt. An attempt starts only when the
/// subscriber has asked for the next event. The publisher never fails: errors are events.
public protocol JobRetrierBuilder<Value>: RetrierBuilder, Publisher
where Output == RetrierEvent<Value>, Failure == Never {
    /// The value of a successful attempt.
    associatedtype Value: Sendable

    /// Calls a handler with each event of each run, in order, on the main actor, before subscribers receive it.
    ///
    /// When a run is cancelled, handlers receive its completion with `CancellationError`, and subscribers nothing more.
    func handleRetrierEvents(
        receiveEvent: @escaping @Sendable @MainActor (RetrierEvent<Value>) -> Void
    ) -> Self
}

extension JobRetrierBuilder {
    /// Calls a handler at each event of each run.
    public func handleRetrierEvents(_ handler: @escaping @Sendable @MainActor () -> Void) -> Self {
        handleRetrierEvents(receiveEvent: { _ in handler() })
    }
}

/// Work that a retrier repeats until it succeeds.
public struct JobRetrier<Value: Sendable>: JobRetrierBuilder, Sendable {
    public typealias Output = RetrierEvent<Value>
    public typealias Failure = Never

    var job: ColdJob<Value>

    public func giveUp(on giveUpCriteria: @escaping GiveUpCriteria) -> JobRetrier {
        with(self) { $0.job.plan.giveUp(on: giveUpCriteria) }
    }

    public func onlyWhen<P: Publisher>(_ conditionPublisher: P) -> JobRetrier where P.Output == Bool {
        with(self) { $0.job.plan.addCondition(conditionPublisher) }
    }

    public func handleRetrierEvents(
        receiveEvent: @escaping @Sendable @MainActor (RetrierEvent<Value>) -> Void
    ) -> JobRetrier { with(self) { $0.job.handlers.append(receiveEvent) } }

    /// Waits after a success for so many seconds and repeats the work.
    public func repeating(withDelay repeatDelay: TimeInterval) -> JobRepeater<Value> {
        JobRepeater(job: with(job) { $0.plan.repeatDelay = repeatDelay })
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        job.receive(subscriber)
    }

    /// The value of a new run.
    ///
    /// - Throws: The error that the run completes with, or `CancellationError` when the awaiting task is cancelled.
    public var value: Value {
        get async throws { try await job.value() }
    }
}

/// Work that a retrier repeats after each success, too.
public struct JobRepeater<Value: Sendable>: JobRetrierBuilder, Sendable {
    public typealias Output = RetrierEvent<Value>
    public typealias Failure = Never

    var job: ColdJob<Value>

    public func giveUp(on giveUpCriteria: @escaping GiveUpCriteria) -> JobRepeater {
        with(self) { $0.job.plan.giveUp(on: giveUpCriteria) }
    }

    public func onlyWhen<P: Publisher>(_ conditionPublisher: P) -> JobRepeater where P.Output == Bool {
        with(self) { $0.job.plan.addCondition(conditionPublisher) }
    }

    public func handleRetrierEvents(
        receiveEvent: @escaping @Sendable @MainActor (RetrierEvent<Value>) -> Void
    ) -> JobRepeater { with(self) { $0.job.handlers.append(receiveEvent) } }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        job.receive(subscriber)
    }
}

extension Publisher {
    /// Publishes the values of the successful attempts.
    public func success<Value>() -> AnyPublisher<Value, Failure> where Output == RetrierEvent<Value> {
        compactMap { if case .attemptSuccess(let value) = $0 { value } else { nil } }.eraseToAnyPublisher()
    }

    /// Publishes the failed attempts.
    public func failure<Value>() -> AnyPublisher<AttemptFailure, Failure> where Output == RetrierEvent<Value> {
        compactMap { if case .attemptFailure(let failure) = $0 { failure } else { nil } }.eraseToAnyPublisher()
    }

    /// Publishes the completion alone: nil after a success, otherwise the error.
    public func completion<Value>() -> AnyPublisher<(any Error)?, Failure> where Output == RetrierEvent<Value> {
        compactMap { if case .completion(let error) = $0 { .some(error) } else { nil } }.eraseToAnyPublisher()
    }
}

extension Publisher {
    /// Calls a handler with each event, where the publisher is no job itself.
    @_disfavoredOverload
    public func handleRetrierEvents<Value>(
        receiveEvent: @escaping @Sendable (RetrierEvent<Value>) -> Void
    ) -> Publishers.HandleEvents<Self> where Output == RetrierEvent<Value> {
        handleEvents(receiveOutput: receiveEvent)
    }
}

/// Work, how to repeat it, and who hears of it.
struct ColdJob<Value: Sendable>: Sendable {
    var plan: RetryPlan
    var handlers: [@Sendable @MainActor (RetrierEvent<Value>) -> Void] = []
    let work: Job<Value>

    /// Starts a run for a subscriber; it waits for the subscriber's demand.
    func receive<S: Subscriber>(_ subscriber: S) where S.Input == RetrierEvent<Value>, S.Failure == Never {
        let subscriber = AnySubscriber(subscriber)
        let (run, subscription) = (MainActorRun(self), RunSubscription())
        subscription.start { @MainActor in
            var run = run
            while true {
                // Without demand the run stands still; a cancelled one goes on to its completion.
                await subscription.waitForDemand()
                guard let event = await run.next() else { return }
                guard !Task.isCancelled else { continue }
                subscription.add(subscriber.receive(event), delivered: 1)
                guard case .completion = event else { continue }
                return subscriber.receive(completion: .finished)
            }
        }
        subscriber.receive(subscription: subscription)
    }

    /// Returns the value of a new run.
    @MainActor func value() async throws -> Value {
        var (run, value): (MainActorRun, Value?) = (MainActorRun(self), nil)
        while let event = await run.next() {
            switch event {
            case .attemptSuccess(let newest): value = newest
            case .completion(let error?): throw error
            case .attemptFailure, .completion(nil): continue
            }
        }
        guard let value else { throw CancellationError() }
        return value
    }
}

/// A run that the main actor drives, so that policies, handlers and subscribers run on it.
private struct MainActorRun<Value: Sendable> {
    private var events: RetryJob<Value>.Iterator
    private let start: Date
    private let handlers: [@Sendable @MainActor (RetrierEvent<Value>) -> Void]

    init(_ job: ColdJob<Value>) {
        (events, start) = job.plan.run(job.work)
        handlers = job.handlers
    }

    /// Returns the next event, after the handlers have received it; nil after the completion.
    @MainActor mutating func next() async -> RetrierEvent<Value>? {
        while let event = await events.next(isolation: MainActor.shared) {
            guard let event = RetrierEvent(event, runStart: start) else { continue }
            handlers.forEach { $0(event) }
            return event
        }
        return nil
    }
}

extension RetrierEvent {
    /// Creates the event of this module; nil for an attempt that a condition interrupted.
    fileprivate init?(_ event: Retrying.RetrierEvent<Output>, runStart: Date) {
        switch event {
        case .attemptSuccess(let value): self = .attemptSuccess(value)
        case .attemptFailure(let failure):
            guard let attempt = failure.attempt else { return nil }
            self = .attemptFailure(AttemptFailure(attempt, runStart: runStart))
        case .completion(let error as Retrying.RetrierError) where error == .conditionEnded:
            self = .completion(RetryError.conditionPublisherCompleted)
        case .completion(let error): self = .completion(error)
        }
    }
}

/// A subscriber's side of a run: its demand, and the end of the run.
private final class RunSubscription: Subscription, Sendable {
    /// The number of events that the subscriber waits for; `Int.max` for any number.
    private let demand = ObservableValue(0)
    private let task = Mutex<Task<Void, Never>?>(nil)

    func start(_ drive: @escaping @Sendable @MainActor () async -> Void) {
        task.withLock { $0 = Task(operation: drive) }
    }

    func request(_ demand: Subscribers.Demand) { add(demand, delivered: 0) }

    func cancel() { task.withLock { $0 }?.cancel() }

    func add(_ demand: Subscribers.Demand, delivered: Int) {
        let more = demand.max
        self.demand.update { count in
            let (sum, isTooMuch) = count.addingReportingOverflow((more ?? .max) - delivered)
            count = count == .max || more == nil || isTooMuch ? .max : sum
        }
    }

    func waitForDemand() async { _ = await demand.first { $0 > 0 } }
}
