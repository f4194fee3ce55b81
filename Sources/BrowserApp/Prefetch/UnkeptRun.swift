/// Tells when nothing can be kept at all: so many in a row could not, over such a time, as a lock that another process
/// holds passes.
struct UnkeptRun {
    static let count = 20
    static let time = Duration.seconds(6)

    /// How many of the last ones could not be kept.
    private(set) var length = 0
    private var start: ContinuousClock.Instant?

    /// Something was kept.
    mutating func end() { (length, start) = (0, nil) }

    /// Something could not be kept; answers whether there is no use in going on.
    mutating func grow(at now: ContinuousClock.Instant) -> Bool {
        length += 1
        let first = start ?? now
        start = first
        return length >= Self.count && first.duration(to: now) >= Self.time
    }
}
