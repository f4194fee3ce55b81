/// A dictionary with its entries in order of use, as a doubly linked list over indexes.
struct RecencyList<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let key: String
        let value: Value
        let cost: Int
        /// The lifetime after a store or use, until `deadline`; nil means no expiration.
        let life: Duration?
        var deadline: Duration?
        /// The moment at which the calendar checks the entry: its deadline, or an earlier one.
        var scheduled: Duration?
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
    private var calendar = ExpiryCalendar()
    private(set) var totalCost = 0

    var count: Int { indexes.count }

    /// Stores a value; returns whether it replaced an earlier entry.
    @discardableResult
    mutating func insert(_ value: Value, forKey key: String, cost: Int, life: Duration?, now: Duration) -> Bool {
        let isReplacement = remove(key)
        let deadline = life.map { now + $0 }
        let index = place(
            Entry(key: key, value: value, cost: cost, life: life, deadline: deadline, scheduled: deadline))
        indexes[key] = index
        totalCost += cost
        linkAsNewest(index)
        if let deadline { calendar.insert(index, at: deadline) }
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
        if let renew { setDeadline(renew(entries[index]?.life).map { now + $0 }, of: index) }
        return entries[index].map { .found($0.value) } ?? .missing
    }

    /// Sets an entry's deadline.
    ///
    /// A later deadline does not change the calendar, so that a hit costs nothing there.
    private mutating func setDeadline(_ deadline: Duration?, of index: Int) {
        entries[index]?.deadline = deadline
        guard let deadline else { return }
        if let scheduled = entries[index]?.scheduled, scheduled <= deadline { return }
        schedule(index)
    }

    private mutating func schedule(_ index: Int) {
        let deadline = entries[index]?.deadline
        calendar.move(index, from: entries[index]?.scheduled, to: deadline)
        entries[index]?.scheduled = deadline
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
        if let scheduled = entries[index]?.scheduled { calendar.remove(index, at: scheduled) }
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
    /// Complexity: O(expired + renewed since the last check), plus the complexity of `ExpiryCalendar.due`.
    mutating func removeExpired(now: Duration) -> [String] {
        var expired: [String] = []
        for index in calendar.due(at: now) {
            if isAlive(index, now: now) {
                schedule(index)
            } else if let key = entries[index]?.key {
                remove(key)
                expired.append(key)
            }
        }
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

/// The entries by the second of their expiration, so that expired ones are found without a scan of the others.
///
/// Adding, moving and removing take O(1) time.
struct ExpiryCalendar {
    private var entries: [Int64: Set<Int>] = [:]
    /// A lower bound of the seconds that have entries.
    private var first = Int64.max

    mutating func insert(_ entry: Int, at deadline: Duration) {
        let second = deadline.components.seconds
        first = min(first, second)
        entries[second, default: []].insert(entry)
    }

    mutating func remove(_ entry: Int, at deadline: Duration) {
        let second = deadline.components.seconds
        entries[second]?.remove(entry)
        if entries[second]?.isEmpty == true { entries[second] = nil }
    }

    mutating func move(_ entry: Int, from old: Duration?, to new: Duration?) {
        guard old?.components.seconds != new?.components.seconds else { return }
        if let old { remove(entry, at: old) }
        if let new { insert(entry, at: new) }
    }

    /// Returns the entries of all seconds that have begun; entries of the current second may not have expired yet.
    ///
    /// Complexity: O(returned entries + seconds since the last call, or seconds that have entries, whichever is less).
    mutating func due(at now: Duration) -> [Int] {
        let second = now.components.seconds
        guard first <= second else { return [] }
        defer { first = entries.isEmpty ? .max : second }
        let (elapsed, isTooLong) = second.subtractingReportingOverflow(first)
        guard isTooLong || elapsed >= entries.count else {
            return (first...second).flatMap { entries[$0] ?? [] }
        }
        return entries.filter { $0.key <= second }.flatMap(\.value)
    }
}
