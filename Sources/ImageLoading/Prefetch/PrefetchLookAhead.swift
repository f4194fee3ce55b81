import DequeModule

/// The new items of a prefetcher, which are looked up in the cache in batches before they enter the plan.
struct PrefetchLookAhead: Sendable {
    /// The largest number of items in one look-up, which takes about half a millisecond.
    static let limit = 64

    private var queue: Deque<Int> = []
    /// All items without a result of a look-up, including those of the running look-up.
    private var pending: Set<Int> = []

    /// The number of items without a result.
    var count: Int { pending.count }

    mutating func add(_ id: Int) {
        if pending.insert(id).inserted { queue.append(id) }
    }

    /// Returns the next items to look up, in order of arrival; they stay pending until they are removed.
    mutating func nextBatch() -> [Int] {
        var batch: [Int] = []
        while batch.count < Self.limit, let id = queue.popFirst() {
            if pending.contains(id) { batch.append(id) }
        }
        return batch
    }

    /// Removes a pending item; returns false if it was not pending.
    mutating func remove(_ id: Int) -> Bool { pending.remove(id) != nil }

    /// Removes all pending items; returns them sorted by id.
    mutating func removeAll() -> [Int] {
        defer { (queue, pending) = ([], []) }
        return pending.sorted()
    }
}
