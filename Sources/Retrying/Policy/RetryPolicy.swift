/// A rule that decides whether and when to try again after a failed attempt.
///
/// A policy is an immutable value. A policy with state (a growing interval, the previous delay) returns its successor
/// from `policy(after:delay:)`. A retrier uses its original policy again for each run, after each success and whenever
/// its conditions turn true again.
///
/// A policy that waits one second longer after each failure and gives up on certain errors:
/// ```swift
/// struct LinearPolicy: RetryPolicy {
///     var delay = Duration.seconds(1)
///
///     func decision(after failure: AttemptFailure, using random: inout some RandomNumberGenerator) -> RetryDecision {
///         failure.error is NotFound ? .giveUp : .retry(after: delay)
///     }
///
///     func policy(after failure: AttemptFailure, delay: Duration) -> any RetryPolicy {
///         LinearPolicy(delay: delay + .seconds(1))
///     }
/// }
/// ```
public protocol RetryPolicy: Sendable {
    /// Decides what to do after a failure. A retrier clamps the delay to 0 … 100 years.
    func decision(after failure: AttemptFailure, using random: inout some RandomNumberGenerator) -> RetryDecision

    /// Returns the policy for the next failure, by default this same policy.
    ///
    /// - Parameter delay: The delay before the next attempt. It differs from this policy's delay if the error asked for
    ///   another.
    func policy(after failure: AttemptFailure, delay: Duration) -> any RetryPolicy

    /// Returns the value that the next failure of the run carries as `userInfo`; by default the value of this failure.
    func userInfo(after failure: AttemptFailure) -> (any Sendable)?
}

extension RetryPolicy {
    public func userInfo(after failure: AttemptFailure) -> (any Sendable)? { failure.userInfo }

    public func policy(after failure: AttemptFailure, delay: Duration) -> any RetryPolicy { self }
}

/// A policy's decision after a failure.
public enum RetryDecision: Sendable, Equatable {
    /// No further attempt.
    case giveUp
    /// Another attempt after the delay.
    case retry(after: Duration)
}

/// A failed attempt.
public struct AttemptFailure: Sendable {
    /// The attempt's number in its run, from 0.
    public var index: Int
    /// The number of failures since the policy last started afresh, from 0.
    ///
    /// It differs from `index` only after a condition interrupted the run.
    public var step: Int
    /// The time from the start of the first attempt, since the policy last started afresh, to the failure.
    public var elapsed: Duration
    /// The time from the start of the run to the start of that first attempt.
    package var trialStart = Duration.zero
    /// The error of this attempt.
    public var error: any Error
    /// The value that the policy returned from `userInfo(after:)` for the failure before; nil for the first failure,
    /// and after the policy started afresh.
    public var userInfo: (any Sendable)?

    /// Creates a failure; by default `step` is the index and `elapsed` is 0.
    public init(
        index: Int, step: Int? = nil, elapsed: Duration = .zero, error: any Error, userInfo: (any Sendable)? = nil
    ) {
        self.index = index
        self.step = step ?? index
        (self.elapsed, self.error, self.userInfo) = (elapsed, error, userInfo)
    }
}

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
    public init(delay: Duration = .seconds(1)) { self.delay = delay.clamped() }

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
        (self.interval, self.maxRetryCount) = (interval, maxRetryCount)
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

/// A policy whose delays double with each attempt.
///
/// Delay n (from 0), with time slot s and maximum m:
/// - without jitter: `min(m, s·2ⁿ)`
/// - full: uniform in `0 … min(m, s·2ⁿ)`
/// - decorrelated(g): the first like full, then uniform in `min(m, s) … min(m, max(s, g·previous))`
///
/// The first eight delays with the default arguments:
///
/// | jitter | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
/// |---|---|---|---|---|---|---|---|---|
/// | none | 0.5 s | 1 s | 2 s | 4 s | 8 s | 16 s | 32 s | 60 s |
/// | full | 0–0.5 s | 0–1 s | 0–2 s | 0–4 s | 0–8 s | 0–16 s | 0–32 s | 0–60 s |
/// | decorrelated | 0–0.5 s | 0.5–1.5 s | 0.5–4.5 s | 0.5–13.5 s | 0.5–40.5 s | 0.5–60 s | 0.5–60 s | 0.5–60 s |
public struct ExponentialPolicy: RetryPolicy, Equatable {
    /// The bound of the first delay, 0.5 s by default; a negative one counts as 0.
    public let timeSlot: Duration
    /// The longest delay, 60 s by default; a negative one counts as 0.
    public let maxDelay: Duration
    /// The kind of randomness, full by default.
    public let jitter: Jitter
    private var previousDelay: Duration?

    /// Creates a policy for the first failure, or for one after a delay.
    public init(
        timeSlot: Duration = .milliseconds(500), maxDelay: Duration = .seconds(60), jitter: Jitter = .full,
        previousDelay: Duration? = nil
    ) {
        self.timeSlot = timeSlot.clamped()
        self.maxDelay = maxDelay.clamped()
        self.jitter = jitter
        self.previousDelay = previousDelay?.clamped(to: maxDelay)
    }

    public func decision(after failure: AttemptFailure, using random: inout some RandomNumberGenerator) -> RetryDecision
    {
        .retry(after: delay(step: failure.step, using: &random).clamped(to: maxDelay))
    }

    public func policy(after failure: AttemptFailure, delay: Duration) -> any RetryPolicy {
        var next = self
        next.previousDelay = delay.clamped(to: maxDelay)
        return next
    }

    private func delay(step: Int, using random: inout some RandomNumberGenerator) -> Duration {
        switch (jitter, previousDelay) {
        case (.none, _):
            Duration(delayInSeconds: bound(step: step))
        case (.decorrelated(let growth), let previous?):
            uniformDelay(slot, max(slot, capped(growth * previous.inSeconds)), using: &random)
        case (.full, _), (.decorrelated, nil):
            uniformDelay(0, bound(step: step), using: &random)
        }
    }

    private var slot: Double { capped(timeSlot.inSeconds) }

    private func bound(step: Int) -> Double {
        // 2¹⁰²³ is the largest power of two in a Double, and 0 times it is 0.
        let power = Double(sign: .plus, exponent: min(max(step, 0), 1023), significand: 1)
        return capped(timeSlot.inSeconds * power)
    }

    private func capped(_ seconds: Double) -> Double {
        boundedSeconds(seconds, ceiling: maxDelay.inSeconds)
    }
}

extension RetryPolicy where Self == ExponentialPolicy {
    /// Returns a policy with doubling delays, by default with a time slot of 0.5 s, at most 60 s and full jitter.
    public static func exponential(
        timeSlot: Duration = .milliseconds(500), maxDelay: Duration = .seconds(60), jitter: Jitter = .full
    ) -> ExponentialPolicy {
        ExponentialPolicy(timeSlot: timeSlot, maxDelay: maxDelay, jitter: jitter)
    }
}

/// The randomness of exponential delays, which keeps many clients from returning at the same moment.
///
/// The formulas are from "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015). Bounds are clamped before a
/// number is drawn, so delays still vary at the maximum.
public enum Jitter: Sendable, Equatable {
    /// Exactly the bound.
    case none
    /// Uniform between 0 and the bound.
    case full
    /// Uniform between the time slot and `growth` times the previous delay. The first delay is like `full`.
    ///
    /// A growth that is negative or NaN counts as 0.
    case decorrelated(growth: Double = 3)
}

/// A policy whose interval grows by a factor, with randomness around it, until a total time is over.
///
/// With interval b₀ = `initial`, bₖ₊₁ = `min(maxInterval, multiplier·bₖ)` and randomization r, delay k is
/// `min(maxInterval, b·U[1−r, 1+r])`. The policy gives up when the next attempt would start `maxElapsed` or more after
/// the first. The interval itself is clamped, so delays stay random at the maximum (the lower half of the range
/// remains). The formula is that of `ExponentialBackOff` in the Google HTTP client for Java.
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
    /// The longest time from the start of the first attempt to the start of the last one, 15 min by default.
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

extension Duration {
    /// The longest delay of any policy: 100 years of 365 days.
    ///
    /// It replaces infinite arguments. Clocks accept it, and sums of it are far from an overflow.
    static let longestDelay = Duration.seconds(3_153_600_000)

    /// Creates a delay from seconds, rounded to nanoseconds.
    ///
    /// Negative numbers and NaN give 0. Numbers beyond `longestDelay` give `longestDelay`.
    package init(delayInSeconds seconds: Double) {
        let bounded = boundedSeconds(seconds, ceiling: Duration.longestDelay.inSeconds)
        self = .nanoseconds(Int64((bounded * 1e9).rounded()))
    }

    /// The duration in seconds, rounded to a `Double`.
    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// Returns the duration clamped to `0 … limit`; the limit is clamped to `0 … longestDelay`.
    func clamped(to limit: Duration = .longestDelay) -> Duration {
        let ceiling = Swift.min(Swift.max(limit, .zero), .longestDelay)
        return Swift.min(Swift.max(self, .zero), ceiling)
    }
}

/// Returns a uniformly random delay of `low … high` seconds, both ends included.
///
/// One call draws exactly one number. Reversed bounds are swapped. The result is clamped like
/// `Duration(delayInSeconds:)`.
func uniformDelay(_ low: Double, _ high: Double, using random: inout some RandomNumberGenerator) -> Duration {
    let ceiling = Duration.longestDelay.inSeconds
    let (first, last) = (boundedSeconds(low, ceiling: ceiling), boundedSeconds(high, ceiling: ceiling))
    // 53 random bits fill a Double's significand. Dividing by 2⁵³ − 1 makes 1 possible.
    let unit = Double(random.next() >> 11) / Double((UInt64(1) << 53) - 1)
    return Duration(delayInSeconds: first + (last - first) * unit)
}

/// Returns a number of seconds clamped to `0 … ceiling`; 0 for NaN.
func boundedSeconds(_ seconds: Double, ceiling: Double) -> Double {
    seconds > 0 ? min(seconds, ceiling) : 0
}
