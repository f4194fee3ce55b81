import Raster

/// A cache of encoded pictures within a memory budget; the least recently used go first.
///
/// All operations except `removeAll(where:)` take constant time.
public struct EncodedFrameCache<Key: Hashable & Sendable>: Sendable {
    /// The memory budget in bytes, measured by `EncodedPicture.cost`.
    public let budget: Int
    /// The memory in use, at most the budget.
    public private(set) var totalCost = 0

    private var entries: [Key: Entry] = [:]
    private var newest: Key?
    private var oldest: Key?

    /// An entry of the list in order of last use.
    private struct Entry: Sendable {
        let picture: EncodedPicture
        var older: Key?
        var newer: Key?
    }

    /// Creates a cache with a budget in bytes, 64 MiB by default.
    public init(budget: Int = 64 * 1024 * 1024) {
        self.budget = max(0, budget)
    }

    /// The number of cached pictures.
    public var count: Int { entries.count }

    /// Returns whether a picture is cached, without counting as a use.
    public func contains(_ key: Key) -> Bool { entries[key] != nil }

    /// Returns a picture and marks it as most recently used; nil if it is not cached.
    public mutating func picture(for key: Key) -> EncodedPicture? {
        guard let picture = entries[key]?.picture else { return nil }
        unlink(key)
        link(key, picture)
        return picture
    }

    /// Stores a picture, replacing one with the same key, and returns the keys of the evicted pictures.
    ///
    /// A picture larger than the whole budget is not stored and evicts nothing.
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

    /// Removes one picture, if it is cached.
    public mutating func remove(_ key: Key) {
        guard let picture = entries[key]?.picture else { return }
        unlink(key)
        totalCost -= picture.cost
    }

    /// Removes the pictures whose keys meet a condition, such as all frames of one picture.
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

/// A key of an encoded picture: equal keys mean equal bytes.
public struct EncodedFrameKey: Hashable, Sendable {
    /// The image's cache key.
    public let image: String
    /// The identifier of the applied processors; empty for none.
    public let processors: String
    /// The number of the frame of an animation, or of a transition's step; 0 for a still picture.
    public let frame: Int
    /// The size in pixels before encoding.
    public let size: PixelSize
    /// The encoder with its protocol, limits, background and cell size.
    public let encoder: PictureEncoder
    /// The quality of the colours.
    public let quality: Quality

    public init(
        image: String, processors: String = "", frame: Int = 0, size: PixelSize, encoder: PictureEncoder,
        quality: Quality = .best
    ) {
        self.image = image
        self.processors = processors
        self.frame = frame
        self.size = size
        self.encoder = encoder
        self.quality = quality
    }
}
