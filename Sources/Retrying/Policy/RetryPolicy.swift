/// A rule that decides whether and when to try again after a failed attempt.
///
/// A policy is an immutable value. A policy with state (a growing interval, the previous delay) returns its successor from
/// `policy(after:delay:)`. A retrier uses its original policy again for each run, after each success and each time that
/// its conditions turn true.
///
/// A policy that waits one second longer after each failure and gives up on certain errors:
/// ```swift
/// struct LinearPolicy: RetryPolicy {
///     var delay = Duration.seconds(1)
///
///     func decision(after failure: AttemptFailure, using random: inout some RandomNumberGenerator) -> RetryDecision {
///         failure.error is NotFound ? .giveUp : .retry(after: delay)
///     }
///
///     func policy(after failure: AttemptFailure, delay: Duration) -> any RetryPolicy {
///         LinearPolicy(delay: delay + .seconds(1))
///     }
/// }
/// ```
public protocol RetryPolicy: Sendable {
    /// Decides what to do after a failure. A retrier clamps the delay to 0 … 100 years.
    func decision(after failure: AttemptFailure, using random: inout some RandomNumberGenerator) -> RetryDecision

    /// Returns the policy for the next failure, by default this same policy.
    ///
    /// - Parameter delay: The delay before the next attempt. It is not this policy's if the error asked for another.
    func policy(after failure: AttemptFailure, delay: Duration) -> any RetryPolicy

    /// Returns the value that the next failure of the run carries as `userInfo`, by default that of this failure.
    func userInfo(after failure: AttemptFailure) -> (any Sendable)?
}

extension RetryPolicy {
    public func userInfo(after failure: AttemptFailure) -> (any Sendable)? { failure.userInfo }

    public func policy(after failure: AttemptFailure, delay: Duration) -> any RetryPolicy { self }
}

/// A policy's decision after a failure.
public enum RetryDecision: Sendable, Equatable {
    /// No further attempt.
    case giveUp
    /// Another attempt after the delay.
    case retry(after: Duration)
}

/// A failed attempt.
public struct AttemptFailure: Sendable {
    /// The attempt's number in its run, from 0.
    public var index: Int
    /// The number of failures since the policy last started afresh, from 0.
    ///
    /// It differs from `index` only after a condition interrupted the run.
    public var step: Int
    /// The time from the start of the run to the failure.
    public var elapsed: Duration
    /// The error of this attempt.
    public var error: any Error
    /// The value that the policy returned from `userInfo(after:)` for the failure before; nil for the first failure, and
    /// after the policy started afresh.
    public var userInfo: (any Sendable)?

    /// Creates a failure; by default `step` is the index and `elapsed` is 0.
    public init(
        index: Int, step: Int? = nil, elapsed: Duration = .zero, error: any Error, userInfo: (any Sendable)? = nil
    ) {
        self.index = index
        self.step = step ?? index
        self.elapsed = elapsed
        self.error = error
        self.userInfo = userInfo
    }
}
