/// A policy with the same delay every time.
///
/// The first eight delays with the default argument, and those of `.none`:
///
/// | policy | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
/// |---|---|---|---|---|---|---|---|---|
/// | constant | 1 s | 1 s | 1 s | 1 s | 1 s | 1 s | 1 s | 1 s |
/// | none | 0 s | 0 s | 0 s | 0 s | 0 s | 0 s | 0 s | 0 s |
public struct ConstantPolicy: RetryPolicy, Equatable {
    /// The delay, 1 s by default; a negative one counts as 0.
    public let delay: Duration

    /// Creates a policy that waits for `delay` before each attempt but the first.
    public init(delay: Duration = .seconds(1)) {
        self.delay = delay.clamped()
    }

    public func decision(after failure: AttemptFailure, using random: inout some RandomNumberGenerator) -> RetryDecision
    {
        .retry(after: delay)
    }
}

extension RetryPolicy where Self == ConstantPolicy {
    /// Returns a policy with the same delay every time, 1 s by default.
    public static func constant(_ delay: Duration = .seconds(1)) -> ConstantPolicy {
        ConstantPolicy(delay: delay)
    }

    /// A policy without delays.
    public static var none: ConstantPolicy { ConstantPolicy(delay: .zero) }
}
