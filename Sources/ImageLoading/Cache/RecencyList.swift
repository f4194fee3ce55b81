/// A dictionary with its entries in order of use, as a doubly linked list over indexes.
struct RecencyList<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let key: String
        let value: Value
        let cost: Int
        /// The lifetime after a store or use, until `deadline`; nil means no expiration.
        let life: Duration?
        var deadline: Duration?
    }

    private struct Link: Sendable {
        var newer: Int?
        var older: Int?
    }

    /// The result of a look-up.
    enum LookUp {
        case found(Value)
        /// The entry had expired and was removed.
        case expired
        case missing
    }

    private var indexes: [String: Int] = [:]
    private var entries: [Entry?] = []
    private var links: [Link] = []
    private var free: [Int] = []
    private var newest: Int?
    private var oldest: Int?
    private(set) var totalCost = 0

    var count: Int { indexes.count }

    /// Stores a value; returns whether it replaced an earlier entry.
    @discardableResult
    mutating func insert(_ value: Value, forKey key: String, cost: Int, life: Duration?, now: Duration) -> Bool {
        let isReplacement = remove(key)
        let index = place(Entry(key: key, value: value, cost: cost, life: life, deadline: life.map { now + $0 }))
        indexes[key] = index
        totalCost += cost
        linkAsNewest(index)
        return isReplacement
    }

    /// Returns the value and makes it the newest; removes an expired one.
    ///
    /// - Parameter renew: Returns the new lifetime from the stored one; if it is nil, the deadline stays.
    mutating func touch(_ key: String, now: Duration, renew: ((Duration?) -> Duration?)? = nil) -> LookUp {
        guard let index = indexes[key] else { return .missing }
        guard isAlive(index, now: now) else {
            remove(key)
            return .expired
        }
        if newest != index {
            unlink(index)
            linkAsNewest(index)
        }
        if let renew {
            let life = renew(entries[index]?.life)
            entries[index]?.deadline = life.map { now + $0 }
        }
        return entries[index].map { .found($0.value) } ?? .missing
    }

    func holds(_ key: String, now: Duration) -> Bool {
        indexes[key].map { isAlive($0, now: now) } ?? false
    }

    /// Removes an entry; returns whether it existed.
    @discardableResult
    mutating func remove(_ key: String) -> Bool {
        guard let index = indexes.removeValue(forKey: key) else { return false }
        unlink(index)
        totalCost -= entries[index]?.cost ?? 0
        entries[index] = nil
        free.append(index)
        return true
    }

    /// Removes the entries whose keys pass the test; returns the removed keys.
    ///
    /// Complexity: O(entries).
    mutating func remove(where isMeant: @Sendable (String) -> Bool) -> [String] {
        let meant = indexes.keys.filter(isMeant)
        for key in meant { remove(key) }
        return meant
    }

    /// Removes the least recently used entry; returns its key.
    mutating func removeOldest() -> String? {
        guard let index = oldest, let key = entries[index]?.key else { return nil }
        remove(key)
        return key
    }

    /// Removes the expired entries; returns their keys.
    ///
    /// Complexity: O(entries).
    mutating func removeExpired(now: Duration) -> [String] {
        let expired = indexes.filter { !isAlive($0.value, now: now) }.map(\.key)
        for key in expired { remove(key) }
        return expired
    }

    private func isAlive(_ index: Int, now: Duration) -> Bool {
        entries[index]?.deadline.map { $0 > now } ?? true
    }

    private mutating func place(_ entry: Entry) -> Int {
        if let index = free.popLast() {
            entries[index] = entry
            return index
        }
        entries.append(entry)
        links.append(Link())
        return entries.count - 1
    }

    private mutating func linkAsNewest(_ index: Int) {
        links[index] = Link(newer: nil, older: newest)
        if let newest { links[newest].newer = index }
        newest = index
        if oldest == nil { oldest = index }
    }

    private mutating func unlink(_ index: Int) {
        let link = links[index]
        if let newer = link.newer { links[newer].older = link.older } else { newest = link.older }
        if let older = link.older { links[older].newer = link.newer } else { oldest = link.newer }
    }
}
