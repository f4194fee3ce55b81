/// Why a run ended where no attempt's own error says it.
///
/// A cancelled run is not among them: it ends with `CancellationError`.
public enum RetrierError: Error, Sendable, Equatable {
    /// No attempt was allowed, or all that were allowed were cut short by a condition.
    case noAttemptLeft
    /// The time given with `giveUpAfter(timeout:abortingAttempt:)` ended during an attempt or a wait for a condition.
    case timedOut
    /// A condition ended while it was not true.
    case conditionEnded
}
