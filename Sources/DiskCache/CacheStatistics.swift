import AlcedoSQLite
import Raster

/// A counter; the index stores its raw value.
enum CacheCounter: String, Hashable, Sendable {
    case memoryHits, diskHits, misses, revalidated, bytesSaved, damaged
    case expired = "evicted.expired"
    case sizeLimit = "evicted.sizeLimit"
    case freeSpace = "evicted.freeSpace"
    case unused = "evicted.unused"

    /// Returns the counter of evictions for a reason; nil for removals on request.
    static func evicted(_ reason: EvictionReason) -> CacheCounter? {
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
        case .expired, .sizeLimit, .freeSpace, .unused:
            EvictionReason(rawValue: String(counter.rawValue.dropFirst(8))).map { evictions[$0, default: 0] += amount }
        }
    }
}

extension CacheAmount {
    /// Reads a row of the number of entries and their bytes.
    init(row: borrowing Row) throws { self.init(entries: try row.value(at: 0), bytes: try row.value(at: 1)) }
}
