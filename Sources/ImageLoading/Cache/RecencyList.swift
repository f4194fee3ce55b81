/// A dictionary whose entries stand in order of use, as a doubly linked list over indexes.
struct RecencyList<Value: Sendable>: Sendable {
    private struct Node: Sendable {
        var key: String
        var value: Value
        var cost: Int
        /// How long it lives from its store or last use, and until when; nil is for ever.
        var life: Duration?
        var deadline: Duration?
        var newer: Int?
        var older: Int?
    }

    /// What a look-up found.
    enum LookUp {
        case found(Value)
        /// It was there, had expired, and is gone.
        case expired
        case missing
    }

    private var indexes: [String: Int] = [:]
    private var nodes: [Node?] = []
    private var free: [Int] = []
    private var newest: Int?
    private var oldest: Int?
    private var calendar = ExpiryCalendar()
    private(set) var totalCost = 0

    var count: Int { indexes.count }
    var keys: some Sequence<String> { indexes.keys }

    /// Answers whether it took an earlier entry's place.
    @discardableResult
    mutating func insert(_ value: Value, forKey key: String, cost: Int, life: Duration?, now: Duration) -> Bool {
        let isReplacement = remove(key)
        let deadline = life.map { now + $0 }
        let index = place(Node(key: key, value: value, cost: cost, life: life, deadline: deadline))
        indexes[key] = index
        totalCost += cost
        linkAsNewest(index)
        if let deadline { calendar.insert(index, at: deadline) }
        return isReplacement
    }

    /// The value when it lives, made the newest; an expired one goes.
    ///
    /// `renew` makes its life from now out of the one it was stored with; nil leaves its deadline.
    mutating func touch(_ key: String, now: Duration, renew: ((Duration?) -> Duration?)? = nil) -> LookUp {
        guard let index = indexes[key], let node = nodes[index] else { return .missing }
        guard node.deadline.map({ $0 > now }) ?? true else {
            remove(key)
            return .expired
        }
        if newest != index {
            unlink(index)
            linkAsNewest(index)
        }
        if let renew {
            let deadline = renew(node.life).map { now + $0 }
            calendar.move(index, from: node.deadline, to: deadline)
            nodes[index]?.deadline = deadline
        }
        return .found(node.value)
    }

    func holds(_ key: String, now: Duration) -> Bool {
        indexes[key].map { isAlive($0, now: now) } ?? false
    }

    /// Answers whether it was there.
    @discardableResult
    mutating func remove(_ key: String) -> Bool {
        guard let index = indexes.removeValue(forKey: key) else { return false }
        unlink(index)
        totalCost -= nodes[index]?.cost ?? 0
        if let deadline = nodes[index]?.deadline { calendar.remove(index, at: deadline) }
        nodes[index] = nil
        free.append(index)
        return true
    }

    /// Answers the keys that went.
    ///
    /// Complexity: O(entries).
    mutating func remove(where isMeant: @Sendable (String) -> Bool) -> [String] {
        let meant = indexes.keys.filter(isMeant)
        for key in meant { remove(key) }
        return meant
    }

    /// Removes the entry used longest ago; answers its key.
    mutating func removeOldest() -> String? {
        guard let index = oldest, let key = nodes[index]?.key else { return nil }
        remove(key)
        return key
    }

    /// Answers the keys that went.
    ///
    /// Complexity: that of `ExpiryCalendar.due`.
    mutating func removeExpired(now: Duration) -> [String] {
        let expired = calendar.due(at: now).filter { !isAlive($0, now: now) }.compactMap { nodes[$0]?.key }
        for key in expired { remove(key) }
        return expired
    }

    private func isAlive(_ index: Int, now: Duration) -> Bool {
        guard let node = nodes[index] else { return false }
        return node.deadline.map { $0 > now } ?? true
    }

    private mutating func place(_ node: Node) -> Int {
        if let index = free.popLast() {
            nodes[index] = node
            return index
        }
        nodes.append(node)
        return nodes.count - 1
    }

    private mutating func linkAsNewest(_ index: Int) {
        nodes[index]?.newer = nil
        nodes[index]?.older = newest
        if let newest { nodes[newest]?.newer = index }
        newest = index
        if oldest == nil { oldest = index }
    }

    private mutating func unlink(_ index: Int) {
        guard let node = nodes[index] else { return }
        if let newer = node.newer { nodes[newer]?.older = node.older } else { newest = node.older }
        if let older = node.older { nodes[older]?.newer = node.newer } else { oldest = node.newer }
    }
}
