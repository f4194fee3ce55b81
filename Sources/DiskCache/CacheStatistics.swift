/// The statistics of the disk tier.
public struct CacheStatistics: Sendable, Hashable {
    /// The number of entries, including expired ones.
    public var entries = 0
    /// The bytes of all contents; equal contents count once.
    public var bytes = 0
    /// The disk usage of all contents in bytes, in whole blocks, to which the limit applies.
    public var space = 0
    /// The size limit, in bytes.
    public var limit = 0
    /// The disk usage of the whole cache in bytes, as du(1) counts it: contents, index and folders.
    public var diskBytes = 0
    /// The number of entries that are marked as damaged, up to 1,000.
    public var damagedEntries = 0
    /// The number of expired entries that are not pinned, up to 1,000.
    public var expiredEntries = 0
    /// The counters of this process.
    public var run = CacheTally()
    /// The counters of all processes over the cache's life.
    public var life = CacheTally()

    public init() {}

    /// The hits of both tiers over the cache's life.
    public var hits: Int { life.hits }
    /// The misses over the cache's life.
    public var misses: Int { life.misses }
    /// The bytes that were not transferred over the cache's life.
    public var bytesSaved: Int { life.bytesSaved }
    /// The evicted entries over the cache's life.
    public var evictions: Int { life.evictions.values.reduce(0, +) }
    /// The entries with damaged content over the cache's life.
    public var damaged: Int { life.damaged }
}
