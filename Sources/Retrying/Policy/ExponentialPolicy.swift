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

    /// Creates a policy for the first failure.
    public init(timeSlot: Duration = .milliseconds(500), maxDelay: Duration = .seconds(60), jitter: Jitter = .full) {
        self.timeSlot = timeSlot.clamped()
        self.maxDelay = maxDelay.clamped()
        self.jitter = jitter
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

/// The randomness of exponential delays, so that many clients do not return at the same moment.
///
/// The formulas are from "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015). Bounds are clamped before a number
/// is drawn, so delays still vary at the maximum.
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
