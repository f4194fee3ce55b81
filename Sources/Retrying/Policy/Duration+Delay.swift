extension Duration {
    /// The longest delay any policy gives: 100 years of 365 days.
    ///
    /// It stands for "for ever" where an argument is infinite. Clocks accept it, and sums of it stay far from overflow.
    static let longestDelay = Duration.seconds(3_153_600_000)

    /// A delay in seconds, rounded to whole nanoseconds.
    ///
    /// Negative numbers and NaN give 0, numbers past `longestDelay` give `longestDelay`.
    init(delayInSeconds seconds: Double) {
        guard seconds > 0 else {
            self = .zero
            return
        }
        let bounded = min(seconds, Duration.longestDelay.inSeconds)
        self = .nanoseconds(Int64((bounded * 1e9).rounded()))
    }

    /// The duration in seconds, as near as a `Double` comes.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// The duration limited to `0 … limit`, the limit itself to `0 … longestDelay`.
    func clamped(to limit: Duration = .longestDelay) -> Duration {
        let ceiling = Swift.min(Swift.max(limit, .zero), .longestDelay)
        return Swift.min(Swift.max(self, .zero), ceiling)
    }
}
