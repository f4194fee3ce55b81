/// A policy with a fixed count of retries and a plain rule for the delays between them.
///
/// The first eight delays at an interval of 3 s:
///
/// | interval | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
/// |---|---|---|---|---|---|---|---|---|
/// | seconds | 3 s | 3 s | 3 s | 3 s | 3 s | 3 s | 3 s | 3 s |
/// | accumulated | 3 s | 6 s | 9 s | 12 s | 15 s | 18 s | 21 s | 24 s |
public struct DelaysPolicy: RetryPolicy {
    /// The rule that gives the delay after failure n, from 0.
    public enum Interval: Sendable {
        /// The same delay t every time.
        case seconds(Duration)
        /// One t more every time: `t·(n+1)`.
        case accumulated(Duration)
        /// Whatever the function answers to n.
        case custom(@Sendable (_ step: Int) -> Duration)
    }

    /// The rule for the delays; 3 s every time by default.
    public let interval: Interval
    /// How often an attempt is repeated at most; 3 by default, 0 or less is never.
    public let maxRetryCount: Int

    /// A policy of `maxRetryCount` retries.
    public init(_ interval: Interval = .seconds(.seconds(3)), maxRetryCount: Int = 3) {
        self.interval = interval
        self.maxRetryCount = maxRetryCount
    }

    public func decision(after failure: AttemptFailure, using random: inout some RandomNumberGenerator) -> RetryDecision
    {
        failure.index < maxRetryCount ? .retry(after: delay(step: failure.step).clamped()) : .giveUp
    }

    private func delay(step: Int) -> Duration {
        switch interval {
        case .seconds(let delay): delay
        case .accumulated(let delay): Duration(delayInSeconds: delay.inSeconds * (Double(step) + 1))
        case .custom(let delay): delay(step)
        }
    }
}

extension RetryPolicy where Self == DelaysPolicy {
    /// A fixed count of retries, 3 unless said otherwise, with plain delays between them, 3 s unless said otherwise.
    public static func delays(
        _ interval: DelaysPolicy.Interval = .seconds(.seconds(3)), maxRetryCount: Int = 3
    ) -> DelaysPolicy {
        DelaysPolicy(interval, maxRetryCount: maxRetryCount)
    }
}
