/// What the user wants of the prefetcher's order.
struct PrefetchWishes: Sendable, Equatable {
    /// Before all others, the latest wish first.
    private(set) var hastened: [ItemID] = []
    /// After all others, the latest wish last.
    private(set) var postponed: [ItemID] = []
    /// Not at all: what was cancelled, and what was removed from the cache.
    private(set) var setAside: Set<ItemID> = []

    var isEmpty: Bool { hastened.isEmpty && postponed.isEmpty && setAside.isEmpty }

    mutating func hasten(_ item: ItemID) {
        forget(item)
        hastened.insert(item, at: 0)
    }

    mutating func postpone(_ item: ItemID) {
        forget(item)
        postponed.append(item)
    }

    mutating func setAside(_ item: ItemID) {
        forget(item)
        setAside.insert(item)
    }

    /// Leaves an item to the standing order again.
    mutating func forget(_ item: ItemID) {
        hastened.removeAll { $0 == item }
        postponed.removeAll { $0 == item }
        setAside.remove(item)
    }

    /// Whether nothing is wished of an item, so that it takes its place in the standing order.
    func leaves(_ item: ItemID) -> Bool {
        isEmpty || !(setAside.contains(item) || hastened.contains(item) || postponed.contains(item))
    }
}
