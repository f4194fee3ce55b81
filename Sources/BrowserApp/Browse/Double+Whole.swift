extension Double {
    /// Without its fraction; 10^15 either way at most, as a damaged index may tell of any moment, and 0 for no number.
    var whole: Int { isNaN ? 0 : Int(Swift.min(1e15, Swift.max(-1e15, self))) }
}
