/// Creates the random number generator of a run; called at most once per run.
public typealias RandomSource = @Sendable () -> any RandomNumberGenerator & Sendable

/// A reusable description of how to repeat work until it succeeds.
///
/// A retrier runs nothing itself. `job(_:)` combines it with work, and each iteration of that job is a separate run.
/// Modifiers return a changed copy. Their order does not matter, and the tightest of several limits applies.
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
    var eventHandlers: [EventHandler<RetrierEvent<any Sendable>>] = []

    /// Creates a retrier that repeats without limit after the policy's delays.
    public init(
        _ policy: some RetryPolicy, clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping RandomSource = { SystemRandomNumberGenerator() }
    ) {
        self.policy = policy
        self.clock = clock
        makeGenerator = random
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
public func withConstantDelay(_ delay: Duration = .seconds(1)) -> Retrier {
    Retrier(.constant(delay))
}

/// Returns a retrier without delays.
public func withNoDelay() -> Retrier {
    Retrier(.none)
}
