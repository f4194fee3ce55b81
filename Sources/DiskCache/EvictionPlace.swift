import Foundation

/// The position of an entry in the order of eviction.
package enum EvictionPlace: Sendable, Hashable {
    /// The entry is pinned and is never evicted.
    case never
    /// The entry is evicted first, because its content is damaged.
    case damaged
    /// The entry is evicted before live ones, because it is expired.
    case expired
    /// The entry is evicted after the entries that were used longer ago.
    ///
    /// `before` counts those up to 10,000; `isExact` is false if there are more.
    case leastRecent(before: CacheAmount, isExact: Bool)
}

extension DiskStorage {
    /// Returns the position of an entry in the order of eviction.
    @concurrent
    package func evictionPlace(of entry: CacheEntry) async throws(DiskCacheError) -> EvictionPlace {
        if entry.isPinned { return .never }
        if entry.damage != nil { return .damaged }
        guard entry.isAlive(at: now()) else { return .expired }
        let bound = 10_000
        let before = try await withIndex { try await $0.evictedBefore(entry, limit: bound) } ?? CacheAmount()
        return .leastRecent(before: before, isExact: before.entries < bound)
    }
}
