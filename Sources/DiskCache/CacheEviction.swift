/// An entry that left a tier of a cache, and why.
public struct CacheEviction: Sendable, Hashable {
    /// Which tier it left.
    public enum Tier: String, Sendable, Hashable {
        case memory, disk
    }

    /// Why it left.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Its time had come.
        case expired
        /// The memory's cost limit was passed.
        case costLimit
        /// The memory's count limit was passed.
        case countLimit
        /// The disk's size limit was passed.
        case sizeLimit
        /// The file system had too little space left.
        case freeSpace
        /// Nobody had asked the disk for it for so long.
        case unused
        /// It was asked to go.
        case removed
        /// Another one was stored under its key.
        case replaced
        /// Its bytes on disk were missing or not what they had been.
        case damaged
        /// The whole tier was emptied.
        case cleared
    }

    /// The tier it left; the other one may have it still.
    public var tier: Tier
    /// Nil when a whole tier was emptied: one event tells of all its entries.
    public var key: String?
    /// Empty for an original.
    public var processorIdentifier: String
    /// Why it left.
    public var reason: Reason

    public init(tier: Tier, key: String?, processorIdentifier: String = "", reason: Reason) {
        self.tier = tier
        self.key = key
        self.processorIdentifier = processorIdentifier
        self.reason = reason
    }

    /// Of a key of the memory tier, which `ImageCache.memoryKey` made.
    package init(memoryKey: String, reason: Reason) {
        let parts = memoryKey.split(separator: "\u{0}", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(
            tier: .memory, key: parts.first.map(String.init), processorIdentifier: parts.dropFirst().joined(),
            reason: reason)
    }

    init(diskKey: CacheEntryKey, reason: Reason) {
        self.init(tier: .disk, key: diskKey.source, processorIdentifier: diskKey.processor, reason: reason)
    }
}
