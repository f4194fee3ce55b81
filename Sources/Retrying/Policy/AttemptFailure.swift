/// What is known of a failed attempt.
public struct AttemptFailure: Sendable {
    /// The attempt's number in its run, from 0.
    public var index: Int

    /// How many failures the policy has judged since it last started, from 0.
    ///
    /// It differs from `index` only after a condition interrupted the run, which starts the policy afresh.
    public var step: Int

    /// The wall-clock time from the start of the run to the failure.
    public var elapsed: Duration

    /// The error of this attempt, never that of an earlier one.
    public var error: any Error

    /// A failure; `step` is the index and `elapsed` 0 unless given.
    public init(index: Int, step: Int? = nil, elapsed: Duration = .zero, error: any Error) {
        self.index = index
        self.step = step ?? index
        self.elapsed = elapsed
        self.error = error
    }
}
