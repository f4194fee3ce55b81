/// The whole disk tier in numbers.
public struct CacheStatistics: Sendable, Hashable {
    /// Rows of the index, expired ones included.
    public var entries = 0
    /// Bytes of contents; equal contents count once.
    public var bytes = 0
    /// Bytes of contents in whole blocks of the file system, which is what the limit is about.
    public var space = 0
    /// The size limit, in bytes.
    public var limit = 0
    /// What the cache takes of its file system, in bytes, as du(1) tells it: contents in whole blocks, the index, the
    /// folders.
    public var diskBytes = 0
    /// Entries that are marked as damaged, and those whose time has come; each counted up to 1,000.
    public var damagedEntries = 0
    public var expiredEntries = 0
    /// Of this process.
    public var run = CacheTally()
    /// Of all processes, over the cache's life.
    public var life = CacheTally()

    public init() {}

    /// Of both tiers, over the cache's life.
    public var hits: Int { life.hits }
    /// Look-ups that found nothing alive, over the cache's life.
    public var misses: Int { life.misses }
    /// Bytes that needed no transfer, over the cache's life.
    public var bytesSaved: Int { life.bytesSaved }
    /// Entries that had to go, over the cache's life.
    public var evictions: Int { life.evictions.values.reduce(0, +) }
    /// Entries whose content was not what it had been, over the cache's life.
    public var damaged: Int { life.damaged }
}
