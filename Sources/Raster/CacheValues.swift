/// The statistics of a cache.
package struct CacheStatistics: Sendable, Hashable {
    /// The number of entries, including expired ones.
    package var entries = 0
    /// The bytes of all contents; equal contents count once.
    package var bytes = 0
    /// The disk usage of all contents in bytes, in whole blocks, to which the limit applies.
    package var space = 0
    /// The size limit, in bytes.
    package var limit = 0
    /// The disk usage of the whole cache in bytes, as du(1) counts it: contents, index and folders.
    package var diskBytes = 0
    /// The number of entries that are marked as damaged, up to 1,000.
    package var damagedEntries = 0
    /// The number of expired entries that are not pinned, up to 1,000.
    package var expiredEntries = 0
    /// The total cost of the pictures in memory; nil if it is not known, or if there are none.
    package var memoryBytes: Int?
    /// The cost limit of the memory tier; nil if it is not known.
    package var memoryLimit: Int?
    /// The counters of this process.
    package var run = CacheTally()
    /// The counters of all processes over the cache's life.
    package var life = CacheTally()

    package init() {}
}

/// The counters of a cache.
package struct CacheTally: Sendable, Hashable {
    /// Look-ups that the memory tier served.
    package var memoryHits = 0
    /// Look-ups that the disk tier served.
    package var diskHits = 0
    /// Look-ups that found no live entry, after which the source was asked.
    package var misses = 0
    /// Misses whose expired entry the server confirmed to be unchanged.
    package var revalidated = 0
    /// Bytes that were not transferred, thanks to hits on disk and revalidations.
    package var bytesSaved = 0
    /// Entries with damaged content.
    package var damaged = 0
    /// Evicted entries on disk, by reason; entries removed on request do not count.
    package var evictions: [EvictionReason: Int] = [:]

    package init() {}

    /// The hits of both tiers.
    package var hits: Int { memoryHits + diskHits }
    /// Misses whose entry was not revalidated.
    package var missed: Int { max(0, misses - revalidated) }
    package var lookups: Int { hits + revalidated + missed }
}

/// A number of entries and bytes.
package struct CacheAmount: Sendable, Hashable {
    package var entries: Int
    /// The bytes of the contents.
    ///
    /// Whether shared contents count once depends on the function that returns the amount.
    package var bytes: Int

    package init(entries: Int = 0, bytes: Int = 0) { (self.entries, self.bytes) = (entries, bytes) }

    package static func + (first: CacheAmount, second: CacheAmount) -> CacheAmount {
        CacheAmount(entries: first.entries + second.entries, bytes: first.bytes + second.bytes)
    }
}

/// The order of cache entries: by last use, bytes, time of the store, hits, host, time of expiry, pixels, or format.
package enum CacheOrder: String, Sendable, Hashable, CaseIterable {
    case access, size, age, hits, host, expiry, pixels, type
}

/// The property by which cache entries are grouped.
package enum CacheGrouping: String, Sendable, Hashable, CaseIterable {
    case host, type, kind, age
}

/// A group of cache entries with a common property, and its totals.
package struct CacheGroup: Sendable, Hashable {
    /// The host, format or kind; for ages the lower bound of the group, such as `7d`, or `0` for the youngest group.
    package var value: String
    /// The text of the filter that selects the entries.
    package var filter: String
    package var entries: Int
    package var bytes: Int
    package var hits: Int

    package init(value: String, filter: String, entries: Int, bytes: Int, hits: Int) {
        (self.value, self.filter, self.entries, self.bytes, self.hits) = (value, filter, entries, bytes, hits)
    }
}

/// The reason for the removal of an entry from a cache.
public enum EvictionReason: String, Sendable, Hashable, CaseIterable {
    /// The entry was expired.
    case expired
    /// The cost limit of the memory tier was exceeded.
    case costLimit
    /// The count limit of the memory tier was exceeded.
    case countLimit
    /// The size limit of the disk tier was exceeded.
    case sizeLimit
    /// The file system had too little free space.
    case freeSpace
    /// The entry on disk had not been used for too long.
    case unused
    /// The entry was removed on request.
    case removed
    /// Another entry was stored under the same key.
    case replaced
    /// The content on disk was missing or damaged.
    case damaged
    /// The whole tier was cleared.
    case cleared
}
