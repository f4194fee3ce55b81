/// A delay drawn evenly from `low … high` seconds, both ends included.
///
/// One call draws exactly one number. Bounds the wrong way round are swapped; the result is limited as
/// `Duration(delayInSeconds:)` limits.
func uniformDelay(_ low: Double, _ high: Double, using random: inout some RandomNumberGenerator) -> Duration {
    let ceiling = Duration.longestDelay.inSeconds
    let first = boundedSeconds(low, ceiling: ceiling)
    let last = boundedSeconds(high, ceiling: ceiling)
    // 53 random bits fill a Double's significand; dividing by 2⁵³ − 1 makes 1 reachable.
    let unit = Double(random.next() >> 11) / Double((UInt64(1) << 53) - 1)
    return Duration(delayInSeconds: first + (last - first) * unit)
}

/// A number of seconds within `0 … ceiling`, with NaN counted as 0.
func boundedSeconds(_ seconds: Double, ceiling: Double) -> Double {
    seconds > 0 ? min(seconds, ceiling) : 0
}
