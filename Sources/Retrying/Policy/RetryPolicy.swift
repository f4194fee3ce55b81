/// A rule that says whether and when a failed attempt is tried again.
///
/// A policy is an immutable value. One that remembers (a growing interval, the previous delay) does so by returning
/// its successor from `policy(after:delay:)`. A retrier starts each run, each repetition and each spell of a true
/// condition with the policy it was built with.
///
/// A policy that waits one second longer with each failure, and gives up when told to by the error:
/// ```swift
/// struct Patience: RetryPolicy {
///     var delay = Duration.seconds(1)
///
///     func decision(after failure: AttemptFailure, using random: inout some RandomNumberGenerator) -> RetryDecision {
///         failure.error is Hopeless ? .giveUp : .retry(after: delay)
///     }
///
///     func policy(after failure: AttemptFailure, delay: Duration) -> any RetryPolicy {
///         Patience(delay: delay + .seconds(1))
///     }
/// }
/// ```
public protocol RetryPolicy: Sendable {
    /// What to do about a failure.
    ///
    /// A retrier limits the delay to 0 … 100 years, so that no answer can harm it.
    func decision(after failure: AttemptFailure, using random: inout some RandomNumberGenerator) -> RetryDecision

    /// The policy that judges the next failure; by default this same policy.
    ///
    /// `delay` is the wait that was chosen, which is another than this policy's where the error asked for one.
    func policy(after failure: AttemptFailure, delay: Duration) -> any RetryPolicy
}

extension RetryPolicy {
    public func policy(after failure: AttemptFailure, delay: Duration) -> any RetryPolicy { self }
}

/// What a policy answers to a failure.
public enum RetryDecision: Sendable, Equatable {
    /// No further attempt.
    case giveUp
    /// Another attempt after the delay.
    case retry(after: Duration)
}
