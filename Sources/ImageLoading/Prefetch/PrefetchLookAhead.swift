import DequeModule

/// Items that came and are looked for in the cache, many at a time, before they have their turns; and what was missing.
///
/// That something is missing holds for a while only, as other processes store too, and for one item of a source: who
/// comes later finds what the first has stored.
struct PrefetchLookAhead: Sendable {
    private struct Missing {
        let source: String
        let found: Duration
    }

    /// How many items are looked for at a time: half a millisecond's work.
    static let limit = 64
    /// How long what was missing is taken for missing.
    static let validity = Duration.seconds(1)

    private var arrivals: Deque<Int> = []
    /// All that came and have not been found or found missing, those of the running look included.
    private var pending: Set<Int> = []
    private var missing: [Int: Missing] = [:]
    private var missingSources: Set<String> = []
    /// What ended while the running look looked, which may not have seen it stored; nil while none runs.
    private var endedMeanwhile: Set<String>?

    /// How many items have not been looked for yet.
    var count: Int { pending.count }

    mutating func add(_ id: Int) {
        if pending.insert(id).inserted { arrivals.append(id) }
    }

    /// The items to look for next, in the order they came; the look runs until this is asked again.
    mutating func take() -> [Int] {
        var taken: [Int] = []
        while taken.count < Self.limit, let id = arrivals.popFirst() {
            if pending.contains(id) { taken.append(id) }
        }
        endedMeanwhile = taken.isEmpty ? nil : []
        return taken
    }

    /// An item has been looked for, or is not to be; false where it was not waiting for that.
    mutating func settle(_ id: Int) -> Bool { pending.remove(id) != nil }

    /// Nothing waits to be looked for any more; answers what did, by number.
    mutating func settleAll() -> [Int] {
        defer { (arrivals, pending) = ([], []) }
        return pending.sorted()
    }

    /// The running look has not found an item.
    mutating func noteMissing(_ id: Int, _ source: String, at now: Duration) {
        guard endedMeanwhile?.contains(source) != true else { return }
        if missingSources.insert(source).inserted { missing[id] = Missing(source: source, found: now) }
    }

    /// Whether an item was found missing just now.
    func isMissing(_ id: Int, at now: Duration) -> Bool {
        missing[id].map { now - $0.found <= Self.validity } ?? false
    }

    /// An item ran to its end.
    mutating func noteEnd(of source: @autoclosure () -> String) { endedMeanwhile?.insert(source()) }

    /// An item ended or was forgotten: nothing is known of its source.
    mutating func forget(_ id: Int) {
        if let forgotten = missing.removeValue(forKey: id) { missingSources.remove(forgotten.source) }
    }
}
