import AlcedoComparison
import AlcedoFilters
import AlcedoSQLite
import FoundationEssentials
import Raster
import Synchronization

/// Queries of entries and statistics.
extension DiskStorage {
    /// The hits, misses and evictions of this process so far.
    package var runTally: CacheTally { run.withLock(\.self) }

    /// Returns the entry of a key, expired or not.
    @concurrent
    package func entry(for key: CacheEntryKey) async -> CacheEntry? {
        try? await withIndex { try $0.entry(for: key) }
    }

    /// Returns the entry with an identifier; nil if it no longer exists.
    @concurrent
    package func entry(id: Int64) async throws(DiskCacheError) -> CacheEntry? {
        try await withIndex(.readByIdentifier) { try $0.entry(id) }
    }

    /// Returns a window of all entries, the last used first, and their number.
    ///
    /// - Parameters:
    ///   - offset: The number of entries to skip; 0 by default.
    ///   - limit: The maximum number of entries; 1,000 by default.
    public func entries(
        from offset: Int = 0, limit: Int = 1000
    ) async throws(DiskCacheError) -> (entries: [CacheEntry], count: Int) {
        try await entries(CacheEntryQuery(offset: offset, limit: limit))
    }

    /// Returns a window of entries, and the number of entries that the query selects in all; skips rows that cannot be
    /// decoded.
    @concurrent
    package func entries(_ query: CacheEntryQuery) async throws(DiskCacheError) -> (entries: [CacheEntry], count: Int) {
        let moment = now()
        return try await withIndex {
            try await $0.runQuery(query, now: moment) { query, database in
                let statement = query.statement(now: moment)
                let entries = try database.rows(statement.sql, statement.values) { row in try? CacheEntry(row: row) }
                return (entries, try Self.count(query, now: moment, in: database))
            }
        }
    }

    /// Returns the number of entries that precede an entry in a query, whatever its window; nil if the query does not
    /// select it.
    ///
    /// Complexity: O(n) in the preceding entries by last use and by expiry, else in all entries.
    @concurrent
    package func place(of id: Int64, in query: CacheEntryQuery) async throws(DiskCacheError) -> Int? {
        let moment = now()
        return try await self.query(.readByIdentifier) { database in
            let statement = try query.resolved(in: database).place(of: id, now: moment)
            return try database.value(statement.sql, statement.values)
        }
    }

    /// Returns how many of some entries exist, and the bytes that their removal would free.
    @concurrent
    package func amount(ids: [Int64]) async throws(DiskCacheError) -> CacheAmount {
        try await query(.readByIdentifier) { database in
            let list = "[\(ids.map(String.init).joined(separator: ","))]"
            return try Self.amount(SQLCondition("WHERE id IN (SELECT value FROM json_each(?))", [list]), in: database)
        }
    }

    /// Returns the identifiers of the entries that a query selects, 8 bytes each.
    ///
    /// The array is a snapshot: later changes of the entries do not move its elements.
    @concurrent
    package func ids(_ query: CacheEntryQuery) async throws(DiskCacheError) -> [Int64] {
        let moment = now()
        return try await withIndex {
            try await $0.runQuery(query, now: moment) { try Self.ids($0, now: moment, in: $1) }
        }
    }

    /// Returns the identifiers of the entries that a query selects, and the first `count` of these entries.
    @concurrent
    package func ids(
        _ query: CacheEntryQuery, withFirst count: Int
    ) async throws(DiskCacheError) -> (ids: [Int64], entries: [CacheEntry]) {
        let moment = now()
        return try await withIndex {
            try await $0.runQuery(query, now: moment) { query, database in
                let ids = try Self.ids(query, now: moment, in: database)
                return (ids, try Self.entries(ids: Array(ids.prefix(count)), in: database))
            }
        }
    }

    /// Returns the entries with some identifiers, in that order; missing and undecodable ones are left out.
    @concurrent
    package func entries(ids: [Int64]) async throws(DiskCacheError) -> [CacheEntry] {
        try await query(.readByIdentifier) { try Self.entries(ids: ids, in: $0) }
    }

    /// Returns a window of groups, the largest first, and the number of all groups.
    @concurrent
    package func groups(_ query: CacheGroupQuery) async throws(DiskCacheError) -> (groups: [CacheGroup], count: Int) {
        let moment = now()
        return try await self.query { database in
            var query = query
            query.filter = try query.filter.resolved(in: database)
            let all = query.statement(now: moment)
            let groups = try database.rows(
                "\(all.sql) ORDER BY bytes DESC, value LIMIT ? OFFSET ?", all.values + [query.limit, query.offset]
            ) { row in try CacheGroup(row: row, by: query.field) }
            return (groups, try database.value("SELECT count(*) FROM (\(all.sql))", all.values) ?? 0)
        }
    }

    /// Returns the number of entries that a filter selects, and the bytes that their removal would free.
    @concurrent
    package func amount(_ filter: CacheFilter) async throws(DiskCacheError) -> CacheAmount {
        let moment = now()
        return try await query { try Self.amount(filter, now: moment, in: $0) }
    }

    /// Returns the amount that a filter selects, and the identifier of the latest entry.
    ///
    /// ``CacheFilter/upTo(_:)`` with that identifier never selects more entries than were counted.
    @concurrent
    package func countedAmount(
        _ filter: CacheFilter
    ) async throws(DiskCacheError) -> (amount: CacheAmount, last: Int64) {
        let moment = now()
        return try await query { database in
            let last: Int64? = try database.value("SELECT max(id) FROM entry")
            return (try Self.amount(filter, now: moment, in: database), last ?? 0)
        }
    }

    /// Returns the entries that a text names, originals first.
    ///
    /// The text is a source's key or address as given at the store, the beginning of an entry's name, or an address as
    /// lists show it. The first of these interpretations that finds an entry is used.
    ///
    /// - Parameter limit: The maximum number of entries; 100 by default.
    @concurrent
    public func find(_ text: String, limit: Int = 100) async throws(DiskCacheError) -> [CacheEntry] {
        try await query { database in
            let known = try Self.entries(SQLCondition("source = ?", [CacheEntryName.source(text)]), limit, in: database)
            if !known.isEmpty { return known }
            if let prefix = CacheEntryNamePrefix(text) {
                let named = try Self.entries(SQLCondition.name(prefix), limit, in: database)
                if !named.isEmpty { return named }
            }
            return try Self.entries(SQLCondition("url = ? OR key = ?", [text, text]), limit, in: database)
        }
    }

    /// Returns the other entries of an entry's source, `limit` rows of that source at most.
    @concurrent
    package func variants(of entry: CacheEntry, limit: Int = 100) async throws(DiskCacheError) -> [CacheEntry] {
        let ofSource = SQLCondition("source = ?", [entry.entryName.source])
        return try await query { try Self.entries(ofSource, limit, in: $0) }.filter { $0.id != entry.id }
    }

    /// Returns the bytes of an entry, expired or not; nil if they are damaged or missing.
    ///
    /// This is not a use of the entry. A damaged entry is not removed, only marked as damaged.
    @concurrent
    package func contents(of entry: CacheEntry) async -> Data? {
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
    /// Complexity: O(1) in the entries, as the index keeps the sums. For the disk usage, the cache folder and its some
    /// 260 subfolders are scanned.
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
    package func totalSpace() async throws(DiskCacheError) -> Int {
        try await withIndex { try $0.totalSpace() }
    }

    /// Returns the bytes of all contents; equal contents count once.
    ///
    /// Complexity: O(1), the index keeps the sum.
    @concurrent
    package func totalBytes() async throws(DiskCacheError) -> Int {
        try await withIndex { try $0.totalBytes() }
    }

    /// Returns the path of the file that holds an entry's bytes, for reading only.
    package func path(of entry: CacheEntry) -> String { blobs.path(of: entry.contentName) }

    /// Waits until all pending writes are in the index.
    @concurrent
    package func flush() async { try? await withIndex { try await $0.flush() } }
}

extension DiskStorage {
    /// Runs a read that may take long; such reads run one after the other.
    func query<Result: Sendable>(
        _ access: Access = .read, _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws(DiskCacheError) -> Result {
        try await withIndex(access) { try await $0.runQuery(body) }
    }

    private static func ids(_ query: CacheEntryQuery, now: Date, in database: Database) throws -> [Int64] {
        let statement = query.identifiers(now: now)
        return try database.rows(statement.sql, statement.values) { row in try? row.value(at: 0) }
    }

    private static func entries(ids: [Int64], in database: Database) throws -> [CacheEntry] {
        try ids.compactMap { id in
            try database.firstRow(CacheEntry.selectOne, [id]) { row in try? CacheEntry(row: row) } ?? nil
        }
    }

    private static func entries(
        _ condition: SQLCondition, _ limit: Int, in database: Database
    ) throws -> [CacheEntry] {
        try database.rows(
            """
            SELECT \(CacheEntry.columns) FROM \(CacheEntry.tables) WHERE \(condition.sql)
            ORDER BY source, variant LIMIT ?
            """, condition.values + [limit]
        ) { row in try? CacheEntry(row: row) }
    }

    private static func amount(_ filter: CacheFilter, now: Date, in database: Database) throws -> CacheAmount {
        if filter.terms.isEmpty {
            return try database.firstRow("SELECT entries, bytes FROM total", [], CacheAmount.init(row:))
                ?? CacheAmount()
        }
        return try amount(filter.resolved(in: database).clause(now: now), in: database)
    }

    private static func amount(_ condition: SQLCondition, in database: Database) throws -> CacheAmount {
        let sql = """
            SELECT coalesce(sum(entries), 0), coalesce(sum(iif(entries >= uses, size, 0)), 0)
            FROM (SELECT content, count(*) AS entries FROM entry \(condition.sql) GROUP BY content)
            LEFT JOIN content ON number = content
            """
        return try database.firstRow(sql, condition.values, CacheAmount.init(row:)) ?? CacheAmount()
    }

    private static func count(_ query: CacheEntryQuery, now: Date, in database: Database) throws -> Int {
        let condition = query.condition(now: now)
        let sql = condition.sql.isEmpty ? "SELECT entries FROM total" : "SELECT count(*) FROM entry \(condition.sql)"
        return try database.value(sql, condition.values) ?? 0
    }
}

/// Pins of entries.
extension DiskStorage {
    /// Pins or unpins entries.
    ///
    /// A pinned entry does not expire and is not evicted; it can be removed on request.
    ///
    /// - Returns: The number of entries that exist.
    @concurrent @discardableResult
    public func setPinned(_ isPinned: Bool, ids: [Int64]) async throws(DiskCacheError) -> Int {
        try await withIndex(.writeByIdentifier) { index in
            try await index.commits.perform { database in
                try ids.reduce(0) { count, id in
                    try count + database.run("UPDATE entry SET pinned = ? WHERE id = ?", [isPinned, id])
                }
            }
        }
    }
}

/// Lifetimes of entries.
extension DiskStorage {
    /// Limits the lifetime of an entry from now on; an entry that expires sooner is not changed.
    @concurrent
    package func shortenLife(of entry: CacheEntry, to life: StorageExpiration) async throws(DiskCacheError) {
        let moment = now()
        guard let end = life.date(from: moment), entry.expires.map({ $0 > end }) ?? true else { return }
        _ = try await withIndex(.writeByIdentifier) { index in
            try await index.commits.perform { database in
                try database.run(
                    "UPDATE entry SET expires = ?, life = ? WHERE id = ?",
                    [end.timeIntervalSince1970, life.life, entry.id])
            }
        }
    }
}

extension DiskStorage {
    /// Records the facts that a decode found in an entry's picture; facts that it did not find are kept.
    @concurrent
    package func record(_ facts: PictureFacts, of entry: CacheEntry) async throws(DiskCacheError) {
        try await withIndex(.write) { index in
            try await index.commits.perform { database in
                let changes = PictureFact.all.map { "\($0.column) = coalesce(?, \($0.column))" }
                let values = PictureFact.all.map { $0.column(of: facts) }
                try database.run(
                    "UPDATE entry SET \(changes.joined(separator: ", ")) WHERE id = ?", values + [entry.id])
            }
        }
    }

    /// Returns the originals that a filter selects, for a search for duplicates.
    ///
    /// Complexity: O(entries); some 40 bytes for each.
    @concurrent
    package func pictureRows(_ filter: CacheFilter) async throws(DiskCacheError) -> [PictureRow] {
        let moment = now()
        return try await query { database in
            let clause = try filter.resolved(in: database).clause(now: moment)
            let joint = clause.sql.isEmpty ? "WHERE" : "\(clause.sql) AND"
            return try database.rows(
                """
                SELECT id, content, hash, coalesce(width, 0) * coalesce(height, 0), length
                FROM entry \(joint) kind = 'original'
                """, clause.values
            ) { row in
                try? PictureRow(
                    id: row.value(at: 0), content: row.value(at: 1),
                    hash: (row.value(at: 2) as Int64?).map { UInt64(bitPattern: $0) }, pixels: row.value(at: 3),
                    bytes: row.value(at: 4))
            }
        }
    }
}

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
        let (now, bound) = (now(), 10_000)
        guard entry.isAlive(at: now) else { return .expired }
        let before = try await withIndex { try await $0.evictedBefore(entry, now: now, limit: bound) }
        return .leastRecent(before: before, isExact: before.entries < bound)
    }
}
