import Foundation
import Synchronization

/// Queries of entries and statistics.
extension DiskStorage {
    /// The hits, misses and evictions of this process so far.
    package var runTally: CacheTally { run.withLock(\.self) }

    /// Returns the entry of a key, expired or not.
    @concurrent
    public func entry(for key: CacheEntryKey) async -> CacheEntry? {
        try? await withIndex { try $0.entry(for: key) }
    }

    /// Returns the entry with an identifier; nil if it no longer exists.
    @concurrent
    public func entry(id: Int64) async throws(DiskCacheError) -> CacheEntry? {
        try await withIndex(.readByIdentifier) { try $0.entry(id) }
    }

    /// Returns a window of entries, and the number of entries that the query selects in all.
    @concurrent
    package func entries(_ query: CacheEntryQuery) async throws(DiskCacheError) -> (entries: [CacheEntry], count: Int) {
        let moment = now()
        return try await withIndex { try await $0.entries(query, now: moment) }
    }

    /// Returns the number of entries that precede an entry in a query, whatever its window; nil if the query does not
    /// select it.
    ///
    /// Complexity: O(n) in the preceding entries by last use and by expiry, else in all entries.
    @concurrent
    package func place(of id: Int64, in query: CacheEntryQuery) async throws(DiskCacheError) -> Int? {
        let moment = now()
        return try await withIndex(.readByIdentifier) { try await $0.place(of: id, in: query, now: moment) }
    }

    /// Returns how many of some entries exist, and the bytes that their removal would free.
    @concurrent
    package func amount(ids: [Int64]) async throws(DiskCacheError) -> CacheAmount {
        try await withIndex(.readByIdentifier) { try await $0.amount(ids: ids) }
    }

    /// Returns the identifiers of the entries that a query selects, 8 bytes each.
    ///
    /// The array is a snapshot: later changes of the entries do not move its elements.
    @concurrent
    package func ids(_ query: CacheEntryQuery) async throws(DiskCacheError) -> [Int64] {
        let moment = now()
        return try await withIndex { try await $0.ids(query, now: moment) }
    }

    /// Returns the identifiers of the entries that a query selects, and the first `count` of these entries.
    @concurrent
    package func ids(
        _ query: CacheEntryQuery, withFirst count: Int
    ) async throws(DiskCacheError) -> (ids: [Int64], entries: [CacheEntry]) {
        let moment = now()
        return try await withIndex { index in
            let ids = try await index.ids(query, now: moment)
            return (ids, try await index.entries(ids: Array(ids.prefix(count))))
        }
    }

    /// Returns the entries with some identifiers, in that order; missing ones are left out.
    @concurrent
    public func entries(ids: [Int64]) async throws(DiskCacheError) -> [CacheEntry] {
        try await withIndex(.readByIdentifier) { try await $0.entries(ids: ids) }
    }

    /// Returns a window of groups, the largest first, and the number of all groups.
    @concurrent
    package func groups(_ query: CacheGroupQuery) async throws(DiskCacheError) -> (groups: [CacheGroup], count: Int) {
        let moment = now()
        return try await withIndex { try await $0.groups(query, now: moment) }
    }

    /// Returns the number of entries that a filter selects, and the bytes that their removal would free.
    @concurrent
    package func amount(_ filter: CacheFilter) async throws(DiskCacheError) -> CacheAmount {
        let moment = now()
        return try await withIndex { try await $0.amount(filter, now: moment) }
    }

    /// Returns the amount that a filter selects, and the identifier of the latest entry.
    ///
    /// ``CacheFilter/upTo(_:)`` with that identifier never selects more entries than were counted.
    @concurrent
    package func countedAmount(
        _ filter: CacheFilter
    ) async throws(DiskCacheError) -> (amount: CacheAmount, last: Int64) {
        let moment = now()
        return try await withIndex { try await $0.countedAmount(filter, now: moment) }
    }

    /// Returns the entries that a text names, originals first.
    ///
    /// The text is a source's key or address as given at the store, the beginning of an entry's name, or an address as
    /// lists show it. The first of these interpretations that finds an entry is used.
    ///
    /// - Parameter limit: The maximum number of entries; 100 by default.
    @concurrent
    public func find(_ text: String, limit: Int = 100) async throws(DiskCacheError) -> [CacheEntry] {
        try await withIndex { index in
            let source = CacheEntryName.source(text)
            let known = try await index.entries(ofSource: source, limit: limit)
            if !known.isEmpty { return known }
            if let prefix = CacheEntryNamePrefix(text) {
                let named = try await index.entries(named: prefix, limit: limit)
                if !named.isEmpty { return named }
            }
            return try await index.entries(at: text, limit: limit)
        }
    }

    /// Returns the other entries of an entry's source, `limit` rows of that source at most.
    @concurrent
    public func variants(of entry: CacheEntry, limit: Int = 100) async throws(DiskCacheError) -> [CacheEntry] {
        try await withIndex { try await $0.entries(ofSource: entry.entryName.source, limit: limit) }
            .filter { $0.id != entry.id }
    }

    /// Returns the bytes of an entry, expired or not; nil if they are damaged or missing.
    ///
    /// This is not a use of the entry. A damaged entry is not removed, only marked as damaged.
    @concurrent
    public func contents(of entry: CacheEntry) async -> Data? {
        try? await withIndex { [self] index in
            if let data = try? read(entry) { return data }
            guard let found = try index.entry(entry.id), found.entryName == entry.entryName else { return nil }
            do throws(BlobStore.Problem) { return try read(found) } catch {
                if error.isOfTheContent, found.damage == nil {
                    count(.damaged, 1, index)
                    try? await index.mark([(found.id, error.description)])
                }
                return nil
            }
        }
    }

    /// Returns the statistics of the tier.
    ///
    /// Complexity: O(1) in the entries, as the index keeps the sums; the disk usage takes a scan of the cache folder
    /// and its some 260 subfolders.
    @concurrent
    package func statistics() async throws(DiskCacheError) -> CacheStatistics {
        let moment = now()
        return try await withIndex { [self] index in
            var statistics = try index.statistics(now: moment)
            statistics.limit = configuration.sizeLimit
            statistics.diskBytes = statistics.space + folder.bytesBesideContents
            statistics.run = run.withLock(\.self)
            return statistics
        }
    }

    /// Returns the disk usage of the contents in bytes, in whole blocks, to which the size limit applies.
    ///
    /// Complexity: O(1), the index keeps the sum.
    @concurrent
    public func totalSpace() async throws(DiskCacheError) -> Int {
        try await withIndex { try $0.totalSpace() }
    }

    /// Returns the bytes of all contents; equal contents count once.
    ///
    /// Complexity: O(1), the index keeps the sum.
    @concurrent
    public func totalBytes() async throws(DiskCacheError) -> Int {
        try await withIndex { try $0.totalBytes() }
    }

    /// Returns the path of the file that holds an entry's bytes, for reading only.
    public func path(of entry: CacheEntry) -> String { blobs.path(of: entry.contentName) }

    /// Waits until all pending writes are in the index.
    @concurrent
    public func flush() async { try? await withIndex { try await $0.flush() } }
}
