extension Duration {
    /// The longest delay of any policy: 100 years of 365 days.
    ///
    /// It replaces infinite arguments. Clocks accept it, and sums of it are far from an overflow.
    static let longestDelay = Duration.seconds(3_153_600_000)

    /// Creates a delay from seconds, rounded to nanoseconds.
    ///
    /// Negative numbers and NaN give 0. Numbers beyond `longestDelay` give `longestDelay`.
    init(delayInSeconds seconds: Double) {
        guard seconds > 0 else {
            self = .zero
            return
        }
        let bounded = min(seconds, Duration.longestDelay.inSeconds)
        self = .nanoseconds(Int64((bounded * 1e9).rounded()))
    }

    /// The duration in seconds, rounded to a `Double`.
    var inSeconds: Double {
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
    let first = boundedSeconds(low, ceiling: ceiling)
    let last = boundedSeconds(high, ceiling: ceiling)
    // 53 random bits fill a Double's significand. Dividing by 2⁵³ − 1 makes 1 possible.
    let unit = Double(random.next() >> 11) / Double((UInt64(1) << 53) - 1)
    return Duration(delayInSeconds: first + (last - first) * unit)
}

/// Returns a number of seconds clamped to `0 … ceiling`.
///
/// NaN becomes 0.
func boundedSeconds(_ seconds: Double, ceiling: Double) -> Double {
    seconds > 0 ? min(seconds, ceiling) : 0
}
