import FoundationEssentials

/// Creates the random number generator of a run; called at most once per run.
public typealias RandomSource = @Sendable () -> any RandomNumberGenerator & Sendable

/// A reusable description of how to repeat work until it succeeds.
///
/// A retrier runs nothing itself. `job(_:)` combines it with work, and each iteration of that job is a separate run.
/// Modifiers return a changed copy. Their order does not matter, and the tightest of several limits applies. Limits hold
/// for a trial: the attempts until a success, or until a condition interrupts them.
/// ```swift
/// let retrier = withExponentialBackoff().giveUpAfter(maxAttempts: 4).giveUpOnErrors { $0 is NotFound }
/// let page = try await retrier.job { try await fetch(url) }.value
/// ```
/// `CancellationError` is never retried.
public struct Retrier: Sendable {
    var policy: any RetryPolicy
    var clock: any Clock<Duration>
    var makeGenerator: RandomSource
    /// The attempts of a trial, and of a run with all its trials.
    var attemptLimit = Int.max
    var totalLimit = Int.max
    var timeout: Duration?
    var abortTimeout: Duration?
    var repeatDelay: Duration?
    var giveUps: [@Sendable (AttemptFailure, Duration) -> Bool] = []
    var serverDelays: [ServerDelay] = []
    var conditions: [RetryCondition] = []
    var eventHandlers: [EventHandler<RetrierEvent<any Sendable>>] = []

    /// Creates a retrier that repeats without limit after the policy's delays.
    public init(
        _ policy: some RetryPolicy, clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping RandomSource = { SystemRandomNumberGenerator() }
    ) {
        (self.policy, self.clock, makeGenerator) = (policy, clock, random)
    }

    /// Combines work with this retrier; nothing is attempted until the job is iterated.
    ///
    /// The work never runs on the actor that reads the job, unless it is isolated to it: `job { @MainActor in … }`.
    public func job<Value: Sendable>(
        _ work: @escaping @Sendable @concurrent () async throws -> Value
    ) -> RetryJob<Value> {
        RetryJob(retrier: self, work: work)
    }
}

/// Returns a retrier with doubling delays, by default with a time slot of 0.5 s, at most 60 s and full jitter.
public func withExponentialBackoff(
    timeSlot: Duration = .milliseconds(500), maxDelay: Duration = .seconds(60), jitter: Jitter = .full
) -> Retrier {
    Retrier(.exponential(timeSlot: timeSlot, maxDelay: maxDelay, jitter: jitter))
}

/// Returns a retrier with the same delay every time, 1 s by default.
public func withConstantDelay(_ delay: Duration = .seconds(1)) -> Retrier { Retrier(.constant(delay)) }

/// Returns a retrier without delays.
public func withNoDelay() -> Retrier { Retrier(.none) }

extension Retrier {
    /// Allows `maxAttempts` attempts in a trial; with 0 or less, a run ends with `RetrierError.noAttemptLeft`.
    ///
    /// After an interruption by a condition all attempts are allowed again.
    public func giveUpAfter(maxAttempts: Int) -> Retrier {
        with { $0.attemptLimit = min($0.attemptLimit, max(0, maxAttempts)) }
    }

    /// Allows `limit` attempts in a run, also those that conditions interrupted.
    func limited(toAttempts limit: Int) -> Retrier { with { $0.totalLimit = min($0.totalLimit, max(0, limit)) } }

    /// Gives up when the next attempt would start `timeout` or more after the first attempt of the trial.
    ///
    /// A running attempt may finish, unless `abortingAttempt` is true: then it is cancelled at the time-out and the run
    /// ends with `RetrierError.timedOut`. Waits for conditions do not count.
    public func giveUpAfter(timeout: Duration, abortingAttempt: Bool = false) -> Retrier {
        with {
            $0.timeout = min($0.timeout ?? .longestDelay, timeout.clamped())
            guard abortingAttempt else { return }
            $0.abortTimeout = min($0.abortTimeout ?? .longestDelay, timeout.clamped())
        }
    }

    /// Gives up after a time-out in seconds, as `giveUpAfter(timeout:abortingAttempt:)` does after a `Duration`.
    @_disfavoredOverload
    public func giveUpAfter(timeout seconds: Double, abortingAttempt: Bool = false) -> Retrier {
        giveUpAfter(timeout: Duration(delayInSeconds: seconds), abortingAttempt: abortingAttempt)
    }

    /// Gives up on errors for which `isFinal` is true.
    public func giveUpOnErrors(_ isFinal: @escaping @Sendable (any Error) -> Bool) -> Retrier {
        giveUp { failure, _ in isFinal(failure.error) }
    }

    /// Gives up when `isFinal` is true for a failure and the delay chosen after it.
    public func giveUp(on isFinal: @escaping @Sendable (AttemptFailure, Duration) -> Bool) -> Retrier {
        with { $0.giveUps.append(isFinal) }
    }

    /// Waits for `delay` after a success and repeats the work; policy, indexes and time-outs start afresh.
    public func repeating(withDelay delay: Duration) -> Retrier {
        with { $0.repeatDelay = delay.clamped() }
    }

    /// Repeats the work after a delay in seconds, as `repeating(withDelay:)` does after a `Duration`.
    @_disfavoredOverload
    public func repeating(withDelay seconds: Double) -> Retrier {
        repeating(withDelay: Duration(delayInSeconds: seconds))
    }

    /// Replaces the policy's delay with one that the error contains.
    ///
    /// With several of these modifiers, the longest delay applies. When the policy gives up, the run gives up, too.
    /// - Parameters:
    ///   - cap: The longest accepted delay, 60 s by default. The run gives up when the error asks for more.
    ///   - jitter: A random time of 0 … `jitter` (0.5 s) is added, so that clients with the same delay do not return
    ///     together.
    ///   - delay: Returns the delay in an error, or nil to use the policy's.
    public func honouringServerDelay(
        upTo cap: Duration = .seconds(60), jitter: Duration = .milliseconds(500),
        _ delay: @escaping @Sendable (any Error) -> Duration?
    ) -> Retrier {
        with { $0.serverDelays.append(ServerDelay(cap: cap.clamped(), jitter: jitter.clamped(), delay: delay)) }
    }

    /// Calls `handler` with each event of each run, in order, before the job returns it.
    ///
    /// A handler that is isolated to an actor runs on that actor.
    ///
    /// - Parameter queue: Where handlers run that are not isolated to an actor; by default on any thread.
    public func handleRetrierEvents(
        on queue: CallbackQueue = .untouch,
        @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (RetrierEvent<any Sendable>) -> Void
    ) -> Retrier {
        with { $0.eventHandlers.append(EventHandler(queue: queue, handle: handler)) }
    }

    /// Uses another clock to measure and to wait.
    public func timed(by clock: any Clock<Duration>) -> Retrier { with { $0.clock = clock } }

    /// Uses another source of randomness.
    public func randomized(by random: @escaping RandomSource) -> Retrier {
        with { $0.makeGenerator = random }
    }

    func with(_ change: (inout Retrier) -> Void) -> Retrier {
        var copy = self
        change(&copy)
        return copy
    }
}

/// A rule that reads the delay from an error.
struct ServerDelay: Sendable {
    let cap: Duration
    let jitter: Duration
    let delay: @Sendable (any Error) -> Duration?
}

extension Retrier {
    /// Returns the delay after a failure by the policy and all modifiers, or nil to give up.
    func delay(
        after failure: AttemptFailure, policy: any RetryPolicy, using random: inout some RandomNumberGenerator
    ) -> Duration? {
        guard !(failure.error is CancellationError),
            case .retry(let planned) = policy.decision(after: failure, using: &random)
        else { return nil }
        var requested: Duration?
        for rule in serverDelays {
            guard let delay = rule.delay(failure.error)?.clamped() else { continue }
            if delay > rule.cap { return nil }
            requested = max(requested ?? .zero, delay + uniformDelay(0, rule.jitter.inSeconds, using: &random))
        }
        let delay = (requested ?? planned).clamped()
        return allowsRetry(after: failure, delay: delay) ? delay : nil
    }

    /// Calls the event handlers.
    func notify(_ event: RetrierEvent<some Sendable>) async {
        for handler in eventHandlers { await handler(event.map { $0 }) }
    }

    private func allowsRetry(after failure: AttemptFailure, delay: Duration) -> Bool {
        if failure.step >= attemptLimit - 1 || failure.index >= totalLimit - 1 { return false }
        if let timeout, failure.elapsed + delay >= timeout { return false }
        return !giveUps.contains { $0(failure, delay) }
    }
}

/// The events of a run, in order; the last one is always exactly one completion.
public enum RetrierEvent<Value: Sendable>: Sendable {
    /// An attempt returned a value.
    case attemptSuccess(Value)
    /// An attempt threw an error.
    case attemptFailure(FailedAttempt)
    /// The run is over: nil after a success, otherwise the reason, usually the newest attempt's error.
    case completion((any Error)?)

    func map<Other: Sendable>(_ transform: (Value) -> Other) -> RetrierEvent<Other> {
        switch self {
        case .attemptSuccess(let value): .attemptSuccess(transform(value))
        case .attemptFailure(let failure): .attemptFailure(failure)
        case .completion(let error): .completion(error)
        }
    }
}

/// An attempt that threw an error.
public struct FailedAttempt: Sendable {
    /// The number of the attempt in its run, from 0.
    public let index: Int
    /// The error of the attempt.
    public let error: any Error
    /// The wait before the next attempt; nil if the run gives up, or if a condition turned false and cancelled the
    /// attempt.
    public let delay: Duration?
    /// The failure that the policy judged; nil if a condition or a time-out cancelled the attempt.
    package let attempt: AttemptFailure?
}

/// The reasons why a run ended, apart from the errors of attempts.
///
/// A cancelled run ends with `CancellationError` instead.
public enum RetrierError: Error, Sendable, Equatable {
    /// No attempt was allowed, or conditions interrupted all allowed attempts.
    case noAttemptLeft
    /// The time limit of `giveUpAfter(timeout:abortingAttempt:)` passed during an attempt.
    case timedOut
    /// A condition ended while it was false.
    case conditionEnded
}

extension RetrierError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .noAttemptLeft: "no attempt was left"
        case .timedOut: "the time for all attempts is over"
        case .conditionEnded: "the condition for attempts ended while it was false"
        }
    }
}
