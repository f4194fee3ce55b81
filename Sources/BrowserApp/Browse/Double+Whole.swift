extension Double {
    /// The whole part, clamped to ±10^15 because a damaged index may contain any time; 0 for NaN.
    var whole: Int { isNaN ? 0 : Int(Swift.min(1e15, Swift.max(-1e15, self))) }
}
