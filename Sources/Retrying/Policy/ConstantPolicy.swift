/// A policy that always waits equally long.
///
/// The first eight delays with the default argument, and those of `.none`:
///
/// | policy | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
/// |---|---|---|---|---|---|---|---|---|
/// | constant | 1 s | 1 s | 1 s | 1 s | 1 s | 1 s | 1 s | 1 s |
/// | none | 0 s | 0 s | 0 s | 0 s | 0 s | 0 s | 0 s | 0 s |
public struct ConstantPolicy: RetryPolicy, Equatable {
    /// The delay; 1 s by default, negative counts as 0.
    public let delay: Duration

    /// A policy that waits `delay` before every attempt but the first.
    public init(delay: Duration = .seconds(1)) {
        self.delay = delay.clamped()
    }

    public func decision(after failure: AttemptFailure, using random: inout some RandomNumberGenerator) -> RetryDecision
    {
        .retry(after: delay)
    }
}

extension RetryPolicy where Self == ConstantPolicy {
    /// The same delay every time, 1 s unless said otherwise.
    public static func constant(_ delay: Duration = .seconds(1)) -> ConstantPolicy {
        ConstantPolicy(delay: delay)
    }

    /// No delay at all.
    public static var none: ConstantPolicy { ConstantPolicy(delay: .zero) }
}
