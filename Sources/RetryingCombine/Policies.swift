import Foundation
import Retrying

/// A rule that decides whether and when to try again after a failed attempt.
///
/// A policy is a value. One that needs to know about earlier attempts carries that in the policy that it returns from
/// `policyAfter(attemptFailure:delay:)`. A retrier uses its original policy again for each run, after each success and
/// after each interruption by a condition.
public protocol RetryPolicy: Sendable {
    /// Returns the delay in seconds before the next attempt; 1 by default.
    @MainActor func retryDelay(for attemptFailure: AttemptFailure) -> TimeInterval

    /// Decides what to do after a failure; by default retries after `retryDelay(for:)`.
    @MainActor func shouldRetry(on attemptFailure: AttemptFailure) -> RetryDecision

    /// Returns the policy for the next failure of the trial; by default this same policy.
    @MainActor func policyAfter(attemptFailure: AttemptFailure, delay: TimeInterval) -> any RetryPolicy
}

extension RetryPolicy {
    public func retryDelay(for attemptFailure: AttemptFailure) -> TimeInterval { 1 }

    @MainActor public func shouldRetry(on attemptFailure: AttemptFailure) -> RetryDecision {
        .retry(delay: retryDelay(for: attemptFailure))
    }

    public func policyAfter(attemptFailure: AttemptFailure, delay: TimeInterval) -> any RetryPolicy { self }
}

/// A policy's decision after a failure.
public enum RetryDecision: Sendable {
    /// No further attempt.
    case giveUp
    /// Another attempt after a delay in seconds; a negative one counts as 0.
    case retry(delay: TimeInterval)
}

/// A failed attempt.
public struct AttemptFailure: Sendable {
    /// The time at which the first attempt of the trial started.
    ///
    /// A trial ends with a success, or when a condition interrupts it.
    public let trialStart: Date
    /// The attempt's number in its trial, from 0.
    public let index: UInt
    /// The error of the attempt.
    public let error: any Error
    /// The time from the start of the trial to the failure.
    let elapsed: TimeInterval

    init(_ failure: Retrying.AttemptFailure, runStart: Date) {
        trialStart = runStart.addingTimeInterval(failure.trialStart.inSeconds)
        (index, error, elapsed) = (UInt(failure.step), failure.error, failure.elapsed.inSeconds)
    }
}

/// A policy with the same delay every time.
public struct ConstantDelayRetryPolicy: RetryPolicy {
    /// The delay in seconds.
    public let delay: TimeInterval

    /// Creates a policy with a delay in seconds, 1 by default.
    public init(delay: TimeInterval = 1) { self.delay = delay }

    public func retryDelay(for attemptFailure: AttemptFailure) -> TimeInterval { delay }
}

/// A policy whose delays double with each attempt of a trial; `ExponentialPolicy` of `Retrying` has the formulas.
public struct ExponentialBackoffRetryPolicy: RetryPolicy {
    /// The randomness of the delays.
    public enum Jitter: Sendable {
        /// Exactly the bound.
        case none
        /// Uniform between 0 and the bound.
        case full
        /// Uniform between the time slot and `growthFactor` times the previous delay.
        case decorrelated(growthFactor: Double = 3)
    }

    /// The bound of the first delay in seconds.
    public let timeSlot: TimeInterval
    /// The longest delay in seconds.
    public let maxDelay: TimeInterval
    /// The kind of randomness.
    public let jitter: Jitter
    private let previousDelay: TimeInterval?

    /// Creates a policy for the first failure, or for one after a delay; times in seconds.
    public init(
        timeSlot: TimeInterval = 0.5, maxDelay: TimeInterval = 60, jitter: Jitter = .full,
        previousDelay: TimeInterval? = nil
    ) {
        (self.timeSlot, self.maxDelay, self.jitter) = (timeSlot, maxDelay, jitter)
        self.previousDelay = previousDelay
    }

    public func retryDelay(for attemptFailure: AttemptFailure) -> TimeInterval {
        let jitter: Retrying.Jitter =
            switch jitter {
            case .none: .none
            case .full: .full
            case .decorrelated(let growthFactor): .decorrelated(growth: growthFactor)
            }
        let policy = ExponentialPolicy(
            timeSlot: Duration(delayInSeconds: timeSlot), maxDelay: Duration(delayInSeconds: maxDelay), jitter: jitter,
            previousDelay: previousDelay.map { Duration(delayInSeconds: $0) })
        let failure = Retrying.AttemptFailure(index: Int(clamping: attemptFailure.index), error: attemptFailure.error)
        var random = SystemRandomNumberGenerator()
        guard case .retry(let delay) = policy.decision(after: failure, using: &random) else { return maxDelay }
        return delay.inSeconds
    }

    public func policyAfter(attemptFailure: AttemptFailure, delay: TimeInterval) -> any RetryPolicy {
        ExponentialBackoffRetryPolicy(timeSlot: timeSlot, maxDelay: maxDelay, jitter: jitter, previousDelay: delay)
    }
}

/// A test of a failure and the delay in seconds that the policy chose after it; true to give up.
public typealias GiveUpCriteria =
    @MainActor @Sendable (_ attemptFailure: AttemptFailure, _ nestedPolicyDelay: TimeInterval) -> Bool

extension RetryPolicy {
    /// Gives up when `giveUpCriteria` is true for a failure and the delay chosen after it.
    public func giveUp(on giveUpCriteria: @escaping GiveUpCriteria) -> any RetryPolicy {
        GivingUpPolicy(wrapped: self, givesUp: giveUpCriteria)
    }

    /// Allows so many attempts in a trial; 0 counts as 1.
    public func giveUpAfter(maxAttempts: UInt) -> any RetryPolicy { giveUp(on: afterAttempts(maxAttempts)) }

    /// Gives up when the next attempt would start so many seconds or more after the start of the trial.
    public func giveUpAfter(timeout: TimeInterval) -> any RetryPolicy { giveUp(on: afterSeconds(timeout)) }

    /// Gives up on errors for which `finalErrorCriteria` is true.
    public func giveUpOnErrors(
        matching finalErrorCriteria: @escaping @Sendable @MainActor (any Error) -> Bool
    ) -> any RetryPolicy { giveUp { failure, _ in finalErrorCriteria(failure.error) } }
}

func afterAttempts(_ count: UInt) -> GiveUpCriteria {
    { failure, _ in failure.index.addingReportingOverflow(1).partialValue >= count }
}

func afterSeconds(_ timeout: TimeInterval) -> GiveUpCriteria {
    { failure, delay in failure.elapsed + delay >= timeout }
}

private struct GivingUpPolicy: RetryPolicy {
    let wrapped: any RetryPolicy
    let givesUp: GiveUpCriteria

    func retryDelay(for attemptFailure: AttemptFailure) -> TimeInterval { wrapped.retryDelay(for: attemptFailure) }

    func shouldRetry(on attemptFailure: AttemptFailure) -> RetryDecision {
        guard case .retry(let delay) = wrapped.shouldRetry(on: attemptFailure), !givesUp(attemptFailure, delay)
        else { return .giveUp }
        return .retry(delay: delay)
    }

    func policyAfter(attemptFailure: AttemptFailure, delay: TimeInterval) -> any RetryPolicy {
        let next = wrapped.policyAfter(attemptFailure: attemptFailure, delay: delay)
        return GivingUpPolicy(wrapped: next, givesUp: givesUp)
    }
}

/// A policy of this module in a run of `Retrying`, which the main actor drives.
struct MainActorPolicy: Retrying.RetryPolicy {
    let policy: any RetryPolicy
    let runStart: Date

    func decision(
        after failure: Retrying.AttemptFailure, using random: inout some RandomNumberGenerator
    ) -> Retrying.RetryDecision {
        let decision = MainActor.assumeIsolated {
            policy.shouldRetry(on: AttemptFailure(failure, runStart: runStart))
        }
        guard case .retry(let delay) = decision else { return .giveUp }
        return .retry(after: Duration(delayInSeconds: delay))
    }

    func policy(after failure: Retrying.AttemptFailure, delay: Duration) -> any Retrying.RetryPolicy {
        let next = MainActor.assumeIsolated {
            policy.policyAfter(
                attemptFailure: AttemptFailure(failure, runStart: runStart), delay: delay.inSeconds)
        }
        return MainActorPolicy(policy: next, runStart: runStart)
    }
}
