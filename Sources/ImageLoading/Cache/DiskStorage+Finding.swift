import Foundation

/// What lies under a key, by one look into the index.
enum CacheFinding<Content: Sendable>: Sendable {
    case alive(Content)
    /// To be validated, and stored anew.
    case expired(Content)
    case nothing
}

extension DiskStorage {
    /// The bytes under a key, expired or not; a use of live ones is noted, all else is a miss.
    ///
    /// Expired ones that no validator came with can never be renewed; they go.
    @concurrent
    func find(
        _ key: CacheEntryKey, extending: ExpirationExtending
    ) async -> CacheFinding<(data: Data, entry: CacheEntry)> {
        let found = try? await withIndex { index -> CacheFinding<(data: Data, entry: CacheEntry)> in
            guard let entry = try await index.entry(for: key), let data = await content(of: entry, index) else {
                await countMiss(key, index)
                return .nothing
            }
            guard !entry.isAlive(at: now()) else {
                await touch(entry, extending, index)
                return .alive((data, entry))
            }
            await countMiss(key, index)
            if entry.canBeRenewed { return .expired((data, entry)) }
            await evict([entry.id], .expired, index)
            return .nothing
        }
        return found ?? .nothing
    }

    /// The row under a key, whose use is noted where it is alive; `.nothing`, a miss, is certain.
    ///
    /// nil when the index cannot be asked.
    @concurrent
    func findRow(_ key: CacheEntryKey, extending: ExpirationExtending) async -> CacheFinding<CacheEntry>? {
        try? await withIndex { index in
            guard let entry = try await index.entry(for: key) else {
                await countMiss(key, index)
                return .nothing
            }
            guard entry.isAlive(at: now()), store.holds(entry.content) else { return .expired(entry) }
            await touch(entry, extending, index)
            return .alive(entry)
        }
    }
}

extension CacheEntry {
    /// Whether the server named the bytes by something that it can be asked about.
    fileprivate var canBeRenewed: Bool { facts.etag != nil || facts.lastModified != nil }
}
