/// A policy whose interval grows by a factor, with randomness around it, until a total time is over.
///
/// With interval b₀ = `initial`, bₖ₊₁ = `min(maxInterval, multiplier·bₖ)` and randomization r, delay k is
/// `min(maxInterval, b·U[1−r, 1+r])`. The policy gives up when the next attempt would start `maxElapsed` or more after the
/// first. Clamping the interval itself keeps delays random at the maximum (the lower half of the range remains). The
/// formula is that of `ExponentialBackOff` in the Google HTTP client for Java.
///
/// The first eight delays with the default arguments:
///
/// | policy | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
/// |---|---|---|---|---|---|---|---|---|
/// | backOff | 0.25–0.75 s | 0.38–1.13 s | 0.56–1.69 s | 0.84–2.53 s | 1.27–3.8 s | 1.9–5.7 s | 2.85–8.54 s | 4.27–12.81 s |
public struct BackOffPolicy: RetryPolicy, Equatable {
    /// The factor from one interval to the next, 1.5 by default; a negative one counts as 0, NaN as 1.
    public let multiplier: Double
    /// The half-width of the random range, as a part of the interval: 0 … 1, 0.5 by default.
    public let randomization: Double
    /// The longest delay, 60 s by default.
    public let maxInterval: Duration
    /// The longest time from the start of the first attempt to that of the last, 15 min by default.
    public let maxElapsed: Duration
    private var interval: Duration

    /// Creates a policy for the first failure; `initial` is the first interval, 500 ms by default.
    ///
    /// Negative durations count as 0.
    public init(
        initial: Duration = .milliseconds(500), multiplier: Double = 1.5, randomization: Double = 0.5,
        maxInterval: Duration = .seconds(60), maxElapsed: Duration = .seconds(900)
    ) {
        self.multiplier = multiplier.isNaN ? 1 : max(0, multiplier)
        self.randomization = boundedSeconds(randomization, ceiling: 1)
        self.maxInterval = maxInterval.clamped()
        self.maxElapsed = maxElapsed.clamped()
        interval = initial.clamped(to: maxInterval)
    }

    public func decision(after failure: AttemptFailure, using random: inout some RandomNumberGenerator) -> RetryDecision
    {
        let base = interval.inSeconds
        let delay = uniformDelay(base * (1 - randomization), base * (1 + randomization), using: &random)
            .clamped(to: maxInterval)
        return failure.elapsed.clamped() + delay >= maxElapsed ? .giveUp : .retry(after: delay)
    }

    public func policy(after failure: AttemptFailure, delay: Duration) -> any RetryPolicy {
        var next = self
        next.interval = Duration(delayInSeconds: interval.inSeconds * multiplier).clamped(to: maxInterval)
        return next
    }
}

extension RetryPolicy where Self == BackOffPolicy {
    /// Returns a policy with a growing, random interval: by default 500 ms, × 1.5, ± 50 %, at most 60 s, for 15 min.
    public static func backOff(
        initial: Duration = .milliseconds(500), multiplier: Double = 1.5, randomization: Double = 0.5,
        maxInterval: Duration = .seconds(60), maxElapsed: Duration = .seconds(900)
    ) -> BackOffPolicy {
        BackOffPolicy(
            initial: initial, multiplier: multiplier, randomization: randomization, maxInterval: maxInterval,
            maxElapsed: maxElapsed)
    }
}
