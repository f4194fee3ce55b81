import AlcedoSupport
import Raster

/// The removal of an entry from a tier of a cache.
public struct CacheEviction: Sendable, Hashable {
    /// A tier of the cache.
    public enum Tier: String, Sendable, Hashable {
        /// The tier of pictures in memory, or that of files.
        case memory, disk
    }

    /// The tier that the entry left; another tier may still hold it.
    public var tier: Tier
    /// The source's key, which lacks its secret values in events of the disk tier.
    ///
    /// Nil if the whole tier was cleared: then one event is sent for all entries.
    public var key: String?
    /// The processor's identifier; empty for an original.
    public var processorIdentifier: String
    /// The reason for the removal.
    public var reason: EvictionReason

    package init(tier: Tier, key: String?, processorIdentifier: String = "", reason: EvictionReason) {
        (self.tier, self.key, self.processorIdentifier, self.reason) = (tier, key, processorIdentifier, reason)
    }

    /// Creates the event for a key of the memory tier, as `ImageCache.memoryKey` makes it.
    package init(memoryKey: String, reason: EvictionReason) {
        let parts = memoryKey.split(separator: "\u{0}", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(
            tier: .memory, key: parts.first.map(String.init), processorIdentifier: parts.dropFirst().joined(),
            reason: reason)
    }

    init(diskKey: CacheEntryKey, reason: EvictionReason) {
        self.init(
            tier: .disk, key: Redaction.shown(diskKey.source), processorIdentifier: diskKey.processor,
            reason: reason)
    }
}
