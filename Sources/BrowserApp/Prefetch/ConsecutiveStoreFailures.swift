/// Detects that the cache cannot store anything: 20 stores in a row have failed, over at least 6 s if the cause may be
/// temporary, such as a lock.
struct ConsecutiveStoreFailures {
    static let count = 20
    static let time = Duration.seconds(6)

    /// The number of consecutive failures.
    private(set) var length = 0
    private var start: ContinuousClock.Instant?

    /// Resets the count after a successful store.
    mutating func reset() { (length, start) = (0, nil) }

    /// Counts a failed store; returns whether the run should stop.
    ///
    /// - Parameter isTemporary: Whether the cause may be temporary.
    mutating func add(at now: ContinuousClock.Instant, isTemporary: Bool = true) -> Bool {
        length += 1
        let first = start ?? now
        start = first
        return length >= Self.count && (!isTemporary || first.duration(to: now) >= Self.time)
    }
}
