/// Encoded pictures within a budget of memory: what was not used for longest goes first.
///
/// All of it takes time independent of how many there are, but for `removeAll(where:)`.
public struct EncodedFrameCache<Key: Hashable & Sendable>: Sendable {
    /// The most memory in bytes, by `EncodedPicture.cost`.
    public let budget: Int
    /// The memory in use, never more than the budget.
    public private(set) var totalCost = 0

    private var entries: [Key: Entry] = [:]
    private var newest: Key?
    private var oldest: Key?

    /// An entry in the order of last use.
    private struct Entry: Sendable {
        let picture: EncodedPicture
        var older: Key?
        var newer: Key?
    }

    /// Takes a budget in bytes, 64 MiB by default.
    public init(budget: Int = 64 * 1024 * 1024) {
        self.budget = max(0, budget)
    }

    /// How many pictures are kept.
    public var count: Int { entries.count }

    /// Whether it is there, without counting as use.
    public func contains(_ key: Key) -> Bool { entries[key] != nil }

    /// The picture, which is now the one used last; nil when it is not there.
    public mutating func picture(for key: Key) -> EncodedPicture? {
        guard let picture = entries[key]?.picture else { return nil }
        unlink(key)
        link(key, picture)
        return picture
    }

    /// Keeps a picture in the stead of any with the same key, and gives the keys of those that had to go for it.
    ///
    /// One that is larger than the whole budget is not kept, and nothing goes for it.
    @discardableResult
    public mutating func store(_ picture: EncodedPicture, for key: Key) -> [Key] {
        remove(key)
        guard picture.cost <= budget else { return [] }
        var evicted: [Key] = []
        while totalCost > budget - picture.cost, let victim = oldest {
            remove(victim)
            evicted.append(victim)
        }
        link(key, picture)
        totalCost += picture.cost
        return evicted
    }

    /// Lets go of one picture; nothing for an unknown key.
    public mutating func remove(_ key: Key) {
        guard let picture = entries[key]?.picture else { return }
        unlink(key)
        totalCost -= picture.cost
    }

    /// Removes those whose keys meet a condition, such as all frames of a picture that is not needed any more.
    public mutating func removeAll(where isUnwanted: (Key) -> Bool) {
        for key in entries.keys.filter(isUnwanted) { remove(key) }
    }

    private mutating func link(_ key: Key, _ picture: EncodedPicture) {
        entries[key] = Entry(picture: picture, older: newest)
        if let newest { entries[newest]?.newer = key }
        newest = key
        if oldest == nil { oldest = key }
    }

    private mutating func unlink(_ key: Key) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        if let older = entry.older { entries[older]?.newer = entry.newer } else { oldest = entry.newer }
        if let newer = entry.newer { entries[newer]?.older = entry.older } else { newest = entry.older }
    }
}
