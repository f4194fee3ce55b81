/// A source of chance: called at most once a run, for the generator that the run draws from.
public typealias RandomSource = @Sendable () -> any RandomNumberGenerator & Sendable

/// A reusable recipe for repeating work until it succeeds.
///
/// A retrier runs nothing. `job(_:)` joins it with work, and each reading of that job is a run of its own. Modifiers
/// return a changed copy; their order does not matter, and of several limits the tightest holds.
/// ```swift
/// let retrier = withExponentialBackoff().giveUpAfter(maxAttempts: 4).giveUpOnErrors { $0 is NotFound }
/// let page = try await retrier.job { try await fetch(url) }.value
/// ```
/// `CancellationError` is never retried.
public struct Retrier: Sendable {
    var policy: any RetryPolicy
    var clock: any Clock<Duration>
    var makeGenerator: RandomSource
    var attemptLimit: Int?
    var timeout: Duration?
    var abortTimeout: Duration?
    var repeatDelay: Duration?
    var giveUps: [@Sendable (AttemptFailure, Duration) -> Bool] = []
    var serverDelays: [ServerDelay] = []
    var conditions: [RetryCondition] = []
    var eventHandlers: [@Sendable (RetrierEvent<any Sendable>) -> Void] = []

    /// A retrier that goes on for ever at the policy's pace, on the system's monotonic clock and randomness.
    public init(
        _ policy: some RetryPolicy, clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping RandomSource = { SystemRandomNumberGenerator() }
    ) {
        self.policy = policy
        self.clock = clock
        makeGenerator = random
    }

    /// Work joined with this retrier: cold, so nothing is attempted before it is asked for.
    public func job<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) -> RetryJob<Value> {
        RetryJob(retrier: self, work: work)
    }
}

/// A retrier with doubling delays: time slot 0.5 s, at most 60 s, full jitter, unless said otherwise.
public func withExponentialBackoff(
    timeSlot: Duration = .milliseconds(500), maxDelay: Duration = .seconds(60), jitter: Jitter = .full
) -> Retrier {
    Retrier(.exponential(timeSlot: timeSlot, maxDelay: maxDelay, jitter: jitter))
}

/// A retrier with the same delay every time, 1 s unless said otherwise.
public func withConstantDelay(_ delay: Duration = .seconds(1)) -> Retrier {
    Retrier(.constant(delay))
}

/// A retrier that tries again at once.
public func withNoDelay() -> Retrier {
    Retrier(.none)
}
