/// The events of a run, in order; the last one is always exactly one completion.
public enum RetrierEvent<Value: Sendable>: Sendable {
    /// An attempt returned a value.
    case attemptSuccess(Value)
    /// An attempt threw an error. `delay` is the wait before the next attempt.
    ///
    /// `delay` is nil when the run gives up, and when a condition that turned false cancelled the attempt.
    case attemptFailure(index: Int, error: any Error, delay: Duration?)
    /// The run is over: nil after a success, otherwise the reason, usually the newest attempt's error.
    case completion((any Error)?)

    func map<Other: Sendable>(_ transform: (Value) -> Other) -> RetrierEvent<Other> {
        switch self {
        case .attemptSuccess(let value): .attemptSuccess(transform(value))
        case .attemptFailure(let index, let error, let delay):
            .attemptFailure(index: index, error: error, delay: delay)
        case .completion(let error): .completion(error)
        }
    }
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
