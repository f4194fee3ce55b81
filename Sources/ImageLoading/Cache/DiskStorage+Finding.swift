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
    @concurrent
    func find(
        _ key: CacheEntryKey, extending: ExpirationExtending
    ) async -> CacheFinding<(data: Data, entry: CacheEntry)> {
        let found = try? await withIndex { index -> CacheFinding<(data: Data, entry: CacheEntry)> in
            guard let entry = try await index.entry(for: key), let data = await content(of: entry, index) else {
                await index.count("misses")
                return .nothing
            }
            guard isAlive(entry) else {
                await index.count("misses")
                return .expired((data, entry))
            }
            await index.touch(entry, at: now(), extending: extending)
            return .alive((data, entry))
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
                await index.count("misses")
                return .nothing
            }
            guard isAlive(entry), blobs.holds(entry.contentName, length: entry.length) else { return .expired(entry) }
            await index.touch(entry, at: now(), extending: extending)
            return .alive(entry)
        }
    }
}
