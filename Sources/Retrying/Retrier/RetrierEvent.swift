import FoundationEssentials

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
    public let error: any Error
    /// The wait before the next attempt; nil if the run gives up, and if a condition that turned false cancelled the
    /// attempt.
    public let delay: Duration?
}

/// The reasons why a run ended that are not an attempt's own error.
///
/// A cancelled run ends with `CancellationError` instead.
public enum RetrierError: Error, Sendable, Equatable {
    /// No attempt was allowed, or conditions interrupted all allowed attempts.
    case noAttemptLeft
    /// The time limit of `giveUpAfter(timeout:abortingAttempt:)` passed during an attempt or a wait for a condition.
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
