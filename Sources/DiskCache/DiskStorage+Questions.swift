import Foundation
import Synchronization

/// What is on the disk, in rows and in numbers.
extension DiskStorage {
    /// What this process has found and evicted so far.
    public var runTally: CacheTally { run.withLock(\.self) }

    /// The index row under a key, expired or not.
    @concurrent
    public func entry(for key: CacheEntryKey) async -> CacheEntry? {
        try? await withIndex { try $0.entry(for: key) }
    }

    /// The row with an identifier; nil when it is gone.
    @concurrent
    public func entry(id: Int64) async throws(DiskCacheError) -> CacheEntry? {
        try await withIndex(.readByIdentifier) { try $0.entry(id) }
    }

    /// A window over the index and how many entries the query has in all.
    @concurrent
    public func entries(_ query: CacheEntryQuery) async throws(DiskCacheError) -> (entries: [CacheEntry], count: Int) {
        let moment = now()
        return try await withIndex { try await $0.entries(query, now: moment) }
    }

    /// How many entries a query has before one of them, whatever its window; nil where that is none of its own.
    ///
    /// Complexity: O(n) in the entries before it by last use and by expiry, else in all.
    @concurrent
    public func place(of id: Int64, in query: CacheEntryQuery) async throws(DiskCacheError) -> Int? {
        let moment = now()
        return try await withIndex(.readByIdentifier) { try await $0.place(of: id, in: query, now: moment) }
    }

    /// How many of some entries there are, and the bytes that removing them would free.
    @concurrent
    public func amount(ids: [Int64]) async throws(DiskCacheError) -> CacheAmount {
        try await withIndex(.readByIdentifier) { try await $0.amount(ids: ids) }
    }

    /// The identifiers of all that a query selects, 8 bytes each: what happens to the entries from now on moves none of
    /// them.
    @concurrent
    public func ids(_ query: CacheEntryQuery) async throws(DiskCacheError) -> [Int64] {
        let moment = now()
        return try await withIndex { try await $0.ids(query, now: moment) }
    }

    /// The same with the first so many entries themselves.
    @concurrent
    public func ids(
        _ query: CacheEntryQuery, withFirst count: Int
    ) async throws(DiskCacheError) -> (ids: [Int64], entries: [CacheEntry]) {
        let moment = now()
        return try await withIndex { index in
            let ids = try await index.ids(query, now: moment)
            return (ids, try await index.entries(ids: Array(ids.prefix(count))))
        }
    }

    /// Those of some entries that are still there, in the order of the identifiers.
    @concurrent
    public func entries(ids: [Int64]) async throws(DiskCacheError) -> [CacheEntry] {
        try await withIndex(.readByIdentifier) { try await $0.entries(ids: ids) }
    }

    /// A window over the groups of entries, the largest first, and how many groups there are.
    @concurrent
    public func groups(_ query: CacheGroupQuery) async throws(DiskCacheError) -> (groups: [CacheGroup], count: Int) {
        let moment = now()
        return try await withIndex { try await $0.groups(query, now: moment) }
    }

    /// How many entries a filter selects, and the bytes of contents that none would need any more without them.
    @concurrent
    public func amount(_ filter: CacheFilter) async throws(DiskCacheError) -> CacheAmount {
        let moment = now()
        return try await withIndex { try await $0.amount(filter, now: moment) }
    }

    /// The same, and the identifier of the latest entry: ``CacheFilter/upTo(_:)`` with it selects no more than was counted,
    /// whatever comes.
    @concurrent
    public func countedAmount(
        _ filter: CacheFilter
    ) async throws(DiskCacheError) -> (amount: CacheAmount, last: Int64) {
        let moment = now()
        return try await withIndex { try await $0.countedAmount(filter, now: moment) }
    }

    /// The entries that a text means, at most so many: a key or an address as it was given when they were stored, an
    /// address as lists show it, or the beginning of an entry's name.
    ///
    /// The original comes before what was made of it. The first of these that means anything counts.
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

    /// What else there is of an entry's source, at most so many.
    @concurrent
    public func variants(of entry: CacheEntry, limit: Int = 100) async throws(DiskCacheError) -> [CacheEntry] {
        try await withIndex { try await $0.entries(ofSource: entry.entryName.source, limit: limit) }
            .filter { $0.id != entry.id }
    }

    /// The bytes of an entry, expired or not; nil when they are damaged or gone.
    ///
    /// To look is no use of the entry, and what is damaged stays as it is, but that it is known to be from then on.
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

    /// The whole tier in numbers; throws `.cache(.diskUnavailable)`.
    ///
    /// Complexity: O(1), the index keeps the sums; but what folders take is asked of each of some 260.
    @concurrent
    public func statistics() async throws(DiskCacheError) -> CacheStatistics {
        let moment = now()
        return try await withIndex { [self] index in
            var statistics = try index.statistics(now: moment)
            statistics.limit = configuration.sizeLimit
            statistics.diskBytes = statistics.space + folder.bytesBesideContents
            statistics.run = run.withLock(\.self)
            return statistics
        }
    }

    /// What the contents take of the file system, in whole blocks of it, which the size limit is about.
    ///
    /// Complexity: O(1), the index keeps the sum.
    @concurrent
    public func totalSpace() async throws(DiskCacheError) -> Int {
        try await withIndex { try $0.totalSpace() }
    }

    /// Bytes of contents; equal ones count once.
    ///
    /// Complexity: O(1), the index keeps the sum.
    @concurrent
    public func totalBytes() async throws(DiskCacheError) -> Int {
        try await withIndex { try $0.totalBytes() }
    }

    /// Returns the path of the file that holds an entry's bytes, for reading only.
    public func path(of entry: CacheEntry) -> String { blobs.path(of: entry.contentName) }

    /// Waits until everything asked for is in the index.
    @concurrent
    public func flush() async { try? await withIndex { try await $0.flush() } }
}
