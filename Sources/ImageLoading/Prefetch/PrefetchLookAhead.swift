import DequeModule

/// The items to look up in the cache in batches before they enter the plan, and the items that the cache lacks.
///
/// A miss is trusted only for a short time, because other processes store images too. It is trusted for one item of a
/// source only: later items of that source find the bytes that the first one stored.
struct PrefetchLookAhead: Sendable {
    private struct Missing {
        let source: String
        let found: Duration
    }

    /// The largest number of items in one look-up, which takes about half a millisecond.
    static let limit = 64
    /// The time for which a miss is trusted.
    static let validity = Duration.seconds(1)

    private var arrivals: Deque<Int> = []
    /// All items without a result of a look-up, including those of the running look-up.
    private var pending: Set<Int> = []
    private var missing: [Int: Missing] = [:]
    private var missingSources: Set<String> = []
    /// The sources that finished during the running look-up, which may have missed them; nil while none runs.
    private var endedMeanwhile: Set<String>?

    /// The number of items that have not been looked up yet.
    var count: Int { pending.count }

    mutating func add(_ id: Int) {
        if pending.insert(id).inserted { arrivals.append(id) }
    }

    /// Returns the next items to look up, in order of arrival; a look-up runs until the next call.
    mutating func take() -> [Int] {
        var taken: [Int] = []
        while taken.count < Self.limit, let id = arrivals.popFirst() {
            if pending.contains(id) { taken.append(id) }
        }
        endedMeanwhile = taken.isEmpty ? nil : []
        return taken
    }

    /// Removes an item from those to look up; returns false if it was not among them.
    mutating func settle(_ id: Int) -> Bool { pending.remove(id) != nil }

    /// Removes all items from those to look up; returns them sorted by id.
    mutating func settleAll() -> [Int] {
        defer { (arrivals, pending) = ([], []) }
        return pending.sorted()
    }

    /// Records that the running look-up did not find an item.
    mutating func noteMissing(_ id: Int, _ source: String, at now: Duration) {
        guard endedMeanwhile?.contains(source) != true else { return }
        if missingSources.insert(source).inserted { missing[id] = Missing(source: source, found: now) }
    }

    /// Returns whether an item was not found in a recent look-up.
    func isMissing(_ id: Int, at now: Duration) -> Bool {
        missing[id].map { now - $0.found <= Self.validity } ?? false
    }

    /// Records that an item finished, so that a running look-up's miss for its source is not trusted.
    mutating func noteEnd(of source: @autoclosure () -> String) { endedMeanwhile?.insert(source()) }

    /// Discards the recorded miss of an item.
    mutating func forget(_ id: Int) {
        if let forgotten = missing.removeValue(forKey: id) { missingSources.remove(forgotten.source) }
    }
}
