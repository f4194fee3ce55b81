/// What a run of a job tells, in order; the last is always exactly one completion.
public enum RetrierEvent<Value: Sendable>: Sendable {
    /// An attempt returned a value.
    case attemptSuccess(Value)
    /// An attempt threw; `delay` is the wait before the next one, or nil where there is none.
    ///
    /// There is none when the run gives up, and when a condition that turned false cancelled the attempt.
    case attemptFailure(index: Int, error: any Error, delay: Duration?)
    /// The run is over: nil after a success, otherwise the reason, as a rule the newest attempt's error.
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
