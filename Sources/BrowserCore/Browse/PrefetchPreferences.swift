/// What the user wants of the prefetcher's order.
struct PrefetchPreferences: Sendable, Equatable {
    /// Before all others, the latest wish first.
    private(set) var prioritized: [ItemID] = []
    /// After all others, the latest wish last.
    private(set) var postponed: [ItemID] = []
    /// Not at all: what was cancelled, and what was removed from the cache.
    private(set) var skipped: Set<ItemID> = []

    var isEmpty: Bool { prioritized.isEmpty && postponed.isEmpty && skipped.isEmpty }

    mutating func prioritize(_ item: ItemID) {
        forget(item)
        prioritized.insert(item, at: 0)
    }

    mutating func postpone(_ item: ItemID) {
        forget(item)
        postponed.append(item)
    }

    mutating func skip(_ item: ItemID) {
        forget(item)
        skipped.insert(item)
    }

    /// Leaves an item to the standing order again.
    mutating func forget(_ item: ItemID) {
        prioritized.removeAll { $0 == item }
        postponed.removeAll { $0 == item }
        skipped.remove(item)
    }

    /// Whether nothing is wished of an item, so that it takes its place in the standing order.
    func leaves(_ item: ItemID) -> Bool {
        isEmpty || !(skipped.contains(item) || prioritized.contains(item) || postponed.contains(item))
    }
}
