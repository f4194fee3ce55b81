import Foundation

/// When an entry would go for want of room.
public enum EvictionPlace: Sendable, Hashable {
    /// It stays whatever happens.
    case never
    /// Before anything else, because its content is damaged.
    case damaged
    /// Before live ones, because its time has come.
    case expired
    /// When the others have gone that were used longer ago.
    ///
    /// They are counted up to a bound, which `isExact` tells.
    case leastRecent(before: CacheAmount, isExact: Bool)
}

extension DiskStorage {
    /// When an entry would go for want of room.
    @concurrent
    public func evictionPlace(of entry: CacheEntry) async throws(DiskCacheError) -> EvictionPlace {
        if entry.isPinned { return .never }
        if entry.damage != nil { return .damaged }
        guard entry.isAlive(at: now()) else { return .expired }
        let bound = 10_000
        let before = try await withIndex { try await $0.evictedBefore(entry, limit: bound) } ?? CacheAmount()
        return .leastRecent(before: before, isExact: before.entries < bound)
    }
}
