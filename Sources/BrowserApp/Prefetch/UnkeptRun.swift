/// Tells when nothing can be kept at all: so many in a row could not, and over such a time where what keeps them out may
/// pass, as a lock that another process holds does.
struct UnkeptRun {
    static let count = 20
    static let time = Duration.seconds(6)

    /// How many of the last ones could not be kept.
    private(set) var length = 0
    private var start: ContinuousClock.Instant?

    /// Something was kept.
    mutating func end() { (length, start) = (0, nil) }

    /// Something could not be kept; answers whether there is no use in going on.
    ///
    /// `mayPass` says that it may be otherwise before long.
    mutating func grow(at now: ContinuousClock.Instant, mayPass: Bool = true) -> Bool {
        length += 1
        let first = start ?? now
        start = first
        return length >= Self.count && (!mayPass || first.duration(to: now) >= Self.time)
    }
}
