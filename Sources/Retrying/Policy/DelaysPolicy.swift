/// A policy with a fixed number of retries and a simple rule for the delays between them.
///
/// The first eight delays at an interval of 3 s:
///
/// | interval | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
/// |---|---|---|---|---|---|---|---|---|
/// | seconds | 3 s | 3 s | 3 s | 3 s | 3 s | 3 s | 3 s | 3 s |
/// | accumulated | 3 s | 6 s | 9 s | 12 s | 15 s | 18 s | 21 s | 24 s |
public struct DelaysPolicy: RetryPolicy {
    /// A rule for the delay after failure n, from 0.
    public enum Interval: Sendable {
        /// The same delay t every time.
        case constant(Duration)
        /// A delay that grows by t every time: `t·(n+1)`.
        case growing(by: Duration)
        /// The result of a function of n.
        case custom(@Sendable (_ step: Int) -> Duration)

        /// Returns `.constant` of a time in seconds, as Kingfisher spells it: `.seconds(3)`.
        public static func seconds(_ seconds: Double) -> Interval { .constant(Duration(delayInSeconds: seconds)) }
        /// Returns `.growing(by:)` a time in seconds: `.accumulated(3)` waits for 3, 6, 9 s.
        public static func accumulated(_ seconds: Double) -> Interval {
            .growing(by: Duration(delayInSeconds: seconds))
        }
    }

    /// The rule for the delays, 3 s every time by default.
    public let interval: Interval
    /// The maximum number of retries, 3 by default; 0 or less for none.
    public let maxRetryCount: Int

    /// Creates a policy of up to `maxRetryCount` retries.
    public init(_ interval: Interval = .seconds(3), maxRetryCount: Int = 3) {
        self.interval = interval
        self.maxRetryCount = maxRetryCount
    }

    public func decision(after failure: AttemptFailure, using random: inout some RandomNumberGenerator) -> RetryDecision
    {
        failure.index < maxRetryCount ? .retry(after: delay(step: failure.step).clamped()) : .giveUp
    }

    private func delay(step: Int) -> Duration {
        switch interval {
        case .constant(let delay): delay
        case .growing(let delay): Duration(delayInSeconds: delay.inSeconds * (Double(step) + 1))
        case .custom(let delay): delay(step)
        }
    }
}

extension RetryPolicy where Self == DelaysPolicy {
    /// Returns a policy with a fixed number of retries, by default 3 retries with 3 s between them.
    public static func delays(
        _ interval: DelaysPolicy.Interval = .constant(.seconds(3)), maxRetryCount: Int = 3
    ) -> DelaysPolicy {
        DelaysPolicy(interval, maxRetryCount: maxRetryCount)
    }
}
