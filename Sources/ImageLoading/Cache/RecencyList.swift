/// A dictionary whose entries stand in order of use, as a doubly linked list over indexes.
struct RecencyList<Value> {
    private struct Node {
        var key: String
        var value: Value
        var cost: Int
        /// How long it lives from its store or last use, and until when; nil is for ever.
        var life: Duration?
        var deadline: Duration?
        var newer: Int?
        var older: Int?
    }

    private var indexes: [String: Int] = [:]
    private var nodes: [Node?] = []
    private var free: [Int] = []
    private var newest: Int?
    private var oldest: Int?
    private(set) var totalCost = 0

    var count: Int { indexes.count }

    mutating func insert(_ value: Value, forKey key: String, cost: Int, life: Duration?, now: Duration) {
        remove(key)
        let index = place(Node(key: key, value: value, cost: cost, life: life, deadline: life.map { now + $0 }))
        indexes[key] = index
        totalCost += cost
        linkAsNewest(index)
    }

    /// The value when it lives, made the newest; an expired one goes.
    ///
    /// `renew` makes its life from now out of the one it was stored with; nil leaves its deadline.
    mutating func touch(_ key: String, now: Duration, renew: ((Duration?) -> Duration?)? = nil) -> Value? {
        guard let index = indexes[key] else { return nil }
        guard isAlive(index, now: now) else {
            remove(key)
            return nil
        }
        unlink(index)
        linkAsNewest(index)
        let life = nodes[index]?.life
        if let renew { nodes[index]?.deadline = renew(life).map { now + $0 } }
        return nodes[index]?.value
    }

    func holds(_ key: String, now: Duration) -> Bool {
        indexes[key].map { isAlive($0, now: now) } ?? false
    }

    mutating func remove(_ key: String) {
        guard let index = indexes.removeValue(forKey: key) else { return }
        unlink(index)
        totalCost -= nodes[index]?.cost ?? 0
        nodes[index] = nil
        free.append(index)
    }

    mutating func remove(where isMeant: @Sendable (String) -> Bool) {
        for key in indexes.keys.filter(isMeant) { remove(key) }
    }

    mutating func trim(to limit: Int) {
        while totalCost > limit, let index = oldest, let key = nodes[index]?.key { remove(key) }
    }

    mutating func removeExpired(now: Duration) {
        for key in indexes.filter({ !isAlive($0.value, now: now) }).keys { remove(key) }
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
