import GRDB

/// The statistics of the disk tier.
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
    /// Misses whose expired bytes the server confirmed.
    package var revalidated = 0
    /// Bytes that were not transferred, because of hits on disk and revalidations.
    package var bytesSaved = 0
    /// Entries with damaged content.
    package var damaged = 0
    /// Evicted entries on disk, by reason; entries removed on request do not count.
    package var evictions: [CacheEviction.Reason: Int] = [:]

    package init() {}

    /// The hits of both tiers.
    package var hits: Int { memoryHits + diskHits }
}

/// A counter; the index stores its raw value.
enum CacheCounter: String, Hashable, Sendable {
    case memoryHits, diskHits, misses, revalidated, bytesSaved, damaged
    case expired = "evicted.expired"
    case sizeLimit = "evicted.sizeLimit"
    case freeSpace = "evicted.freeSpace"
    case unused = "evicted.unused"

    /// Returns the counter of evictions for a reason; nil for removals on request.
    static func evicted(_ reason: CacheEviction.Reason) -> CacheCounter? {
        CacheCounter(rawValue: "evicted.\(reason.rawValue)")
    }
}

extension CacheTally {
    mutating func add(_ counter: CacheCounter, _ amount: Int) {
        switch counter {
        case .memoryHits: memoryHits += amount
        case .diskHits: diskHits += amount
        case .misses: misses += amount
        case .revalidated: revalidated += amount
        case .bytesSaved: bytesSaved += amount
        case .damaged: damaged += amount
        case .expired: evictions[.expired, default: 0] += amount
        case .sizeLimit: evictions[.sizeLimit, default: 0] += amount
        case .freeSpace: evictions[.freeSpace, default: 0] += amount
        case .unused: evictions[.unused, default: 0] += amount
        }
    }
}

/// A number of entries and bytes.
package struct CacheAmount: Sendable, Hashable {
    package var entries: Int
    /// The bytes of the contents; the function that returns the amount says how it counts shared contents.
    package var bytes: Int

    package init(entries: Int = 0, bytes: Int = 0) {
        self.entries = entries
        self.bytes = bytes
    }

    init(row: Row) throws {
        self.init(entries: try row.decode(forColumn: "entries"), bytes: try row.decode(forColumn: "bytes"))
    }

    static func + (first: CacheAmount, second: CacheAmount) -> CacheAmount {
        CacheAmount(entries: first.entries + second.entries, bytes: first.bytes + second.bytes)
    }
}
