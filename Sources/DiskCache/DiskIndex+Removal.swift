import AlcedoSQLite
import FoundationEssentials
import Raster

/// Removal of entries, and the choice of entries to evict.
extension DiskIndex {
    /// The rows that may be evicted, by reason.
    struct EvictionCandidates: Sendable {
        var damaged: [Int64] = []
        var expired: [Int64] = []
        var leastRecent: [Int64] = []

        /// All rows in the order of their removal.
        var all: [Int64] { damaged + expired + leastRecent }
        var isEmpty: Bool { damaged.isEmpty && expired.isEmpty && leastRecent.isEmpty }
    }

    /// Returns the entries to evict to free a number of bytes: damaged ones, then expired ones, then the least recently
    /// used ones; never pinned ones.
    ///
    /// Returns at most `slice` entries.
    ///
    /// Complexity: O(slice · log n), as the queries follow the table's indexes.
    func evictionCandidates(forBytes excess: Int, now: Date, slice: Int) async throws -> EvictionCandidates {
        try await runQuery { try Self.evictionCandidates(forBytes: excess, now: now, slice: slice, in: $0) }
    }

    static func evictionCandidates(
        forBytes excess: Int, now: Date, slice: Int, in database: Database
    ) throws -> EvictionCandidates {
        var (excess, room) = (excess, slice)
        let values: SQLiteValues = [now.timeIntervalSince1970, slice]
        let damaged = try ids(Self.damaged, [slice], in: database, &excess, &room)
        let expired = try ids(Self.expired, values, in: database, &excess, &room)
        let leastRecent = try ids(Self.leastRecent, values, in: database, &excess, &room)
        return EvictionCandidates(damaged: damaged, expired: expired, leastRecent: leastRecent)
    }

    /// Returns a filter that keeps selecting the same entries while some of them are removed.
    func resolved(_ filter: CacheFilter) async throws -> CacheFilter {
        try await runQuery { try filter.resolved(in: $0) }
    }

    /// Returns the entries that a filter selects, in the order of their identifiers, after a given identifier.
    func ids(_ filter: CacheFilter, after id: Int64, now: Date, slice: Int) async throws -> [Int64] {
        let selected = Self.selected(filter, now: now)
        return try await runQuery { try $0.values(selected.sql, selected.values + [id, slice]) }
    }

    /// Returns the query for a slice of the entries that a filter selects.
    ///
    /// `NOT INDEXED` lets it follow the identifiers; with another index, SQLite would sort all rows for each slice.
    static func selected(_ filter: CacheFilter, now: Date) -> SQLCondition {
        let clause = filter.clause(now: now)
        let joint = clause.sql.isEmpty ? "WHERE" : "\(clause.sql) AND"
        return SQLCondition("SELECT id FROM entry NOT INDEXED \(joint) id > ? ORDER BY id LIMIT ?", clause.values)
    }

    /// The SQL expression for the disk usage of a content.
    private static let space = BlobStore.space(ofColumn: "length")

    /// The three classes of entries in the order of their eviction; `?1` is the current time.
    ///
    /// The unary plus keeps SQLite from using the indexes on `pinned`, with which it would scan all unpinned rows.
    private static let isDamaged = "damage IS NOT NULL AND +pinned = 0"
    private static let isExpired = "pinned = 0 AND expires <= ?1 AND damage IS NULL"
    private static let isAlive = "pinned = 0 AND (expires IS NULL OR expires > ?1) AND damage IS NULL"

    static let damaged = "SELECT id, \(space) FROM entry WHERE \(isDamaged) LIMIT ?1"
    static let expired = "SELECT id, \(space) FROM entry WHERE \(isExpired) ORDER BY expires LIMIT ?2"
    static let leastRecent = "SELECT id, \(space) FROM entry WHERE \(isAlive) ORDER BY accessed LIMIT ?2"
    /// The contents that are evicted before one that is alive and was last used at `?2`, at most `?3`.
    static let evictedBefore =
        [isDamaged, isExpired, "\(isAlive) AND accessed < ?2"]
        .map { "SELECT content, length FROM entry WHERE \($0)" }.joined(separator: " UNION ALL ") + " LIMIT ?3"

    /// Returns identifiers of rows until `excess` or `room` is used up; a row whose size cannot be decoded counts as 0
    /// bytes.
    private static func ids(
        _ sql: String, _ values: SQLiteValues, in database: Database, _ excess: inout Int, _ room: inout Int
    ) throws -> [Int64] {
        var ids: [Int64] = []
        guard excess > 0, room > 0 else { return ids }
        try database.forEachRow(sql, values) { row in
            ids.append(try row.value(at: 0))
            excess -= max(0, (try? row.value(at: 1)) ?? 0)
            room -= 1
            return excess > 0 && room > 0
        }
        return ids
    }

    /// Removes rows by their identifiers.
    ///
    /// - Parameters:
    ///   - counter: The counter to increase by the number of removed rows; none by default.
    ///   - sparesPinned: Whether to keep rows that have been pinned meanwhile; false by default.
    /// - Returns: The removed entries and the freed bytes.
    @discardableResult
    func remove(
        ids: [Int64], counting counter: CacheCounter? = nil, sparesPinned: Bool = false
    ) async throws -> Removal {
        let condition = sparesPinned ? "id = ? AND pinned = 0" : "id = ?"
        return try await removing { [contents] database in
            var removal = Removal()
            for id in ids { removal += try Self.remove(condition, [id], contents, in: database) }
            if let counter, !removal.keys.isEmpty { try Self.count(counter, by: removal.keys.count, in: database) }
            return removal
        }
    }

    /// Runs a removal; on a full file system, runs it again and deletes the content files before the transaction ends.
    private func removing(_ removal: @escaping @Sendable (Database) throws -> Removal) async throws -> Removal {
        do { return try await commits.perform(removal) } catch let error where IndexDamage.isFull(error) {
            return try await commits.perform { [contents] database in
                let removed = try removal(database)
                try contents.releaseUnused(contents.pendingDeletions.removeAll(), in: database)
                return removed
            }
        }
    }

    /// Removes an entry with damaged content, and the content file, which the next store writes again.
    func removeDamaged(_ entry: CacheEntry) async throws -> Removal {
        try await removing { [contents] database in
            contents.blobs.remove(entry.contentName)
            return try Self.remove("id = ?", [entry.id], contents, in: database)
        }
    }

    /// Removes the rows of every kind for a source and processor.
    ///
    /// - Returns: The removed entries and the freed bytes.
    func remove(source: String, processor: String) async throws -> Removal {
        try await removing { [contents] in
            try Self.remove(
                "source = ? AND processor = ?", [CacheEntryName.source(source), processor], contents, in: $0)
        }
    }

    /// Removes the rows of a source.
    ///
    /// - Returns: The removed entries and the freed bytes.
    func remove(source: String) async throws -> Removal {
        try await removing { [contents] in
            try Self.remove("source = ?", [CacheEntryName.source(source)], contents, in: $0)
        }
    }

    /// Removes all rows and contents, then shrinks the index file.
    func removeAll() async throws {
        try await commits.perform { [contents] database in
            try contents.blobs.removeAll()
            try DiskIndexSchema.removeAllRows(from: database)
        }
        try await shrink(pages: .max)
    }

    /// Writes the log into the index file and truncates the log.
    func writePending() async throws {
        try await pool.write { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    /// Returns free pages of the index file to the file system.
    func shrink(pages: Int) async throws {
        try await pool.write { try $0.execute("PRAGMA incremental_vacuum(\(min(pages, Int(Int32.max))))") }
    }

    /// Removes the given content files that no entry uses.
    func releaseUnused(_ files: [String]) async throws {
        guard !files.isEmpty else { return }
        try await commits.perform { [contents] database in try contents.releaseUnused(files, in: database) }
    }

    static func remove(
        _ condition: String, _ values: SQLiteValues, _ contents: ContentTable, in database: Database
    ) throws -> Removal {
        // All rows are read before contents are released: a running statement locks its row.
        let rows = try database.rows(
            "DELETE FROM entry WHERE \(condition) RETURNING content, key, url, processor, kind", values
        ) { row in
            (content: try? row.value(at: 0) as Int64, key: try? Self.key(row))
        }
        // A damaged row may have neither a valid key nor a valid content.
        var removal = Removal(keys: rows.map { $0.key ?? CacheEntryKey(source: "") })
        for row in rows {
            guard let content = row.content else { continue }
            removal.bytes += try contents.releaseUnused(content, in: database)
        }
        return removal
    }

    private static func key(_ row: borrowing Row) throws -> CacheEntryKey {
        CacheEntryKey(
            shown: try row.value(at: 1), url: try row.value(at: 2), processor: try row.value(at: 3),
            kind: try row.value(at: 4))
    }
}

/// The result of a removal: the keys of the entries, and the bytes of contents that no entry uses any more.
struct Removal: Sendable {
    var keys: [CacheEntryKey] = []
    var bytes = 0

    var amount: CacheAmount { CacheAmount(entries: keys.count, bytes: bytes) }

    static func += (all: inout Removal, more: Removal) {
        all.keys += more.keys
        all.bytes += more.bytes
    }
}
