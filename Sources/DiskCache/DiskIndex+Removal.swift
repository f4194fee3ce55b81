import Foundation
import GRDB

/// What goes, and what is to go next.
extension DiskIndex {
    /// Rows to remove, by why they were chosen.
    struct Choice: Sendable {
        var damaged: [Int64] = []
        var expired: [Int64] = []
        var leastRecent: [Int64] = []

        /// In the order in which they go.
        var all: [Int64] { damaged + expired + leastRecent }
        var isEmpty: Bool { damaged.isEmpty && expired.isEmpty && leastRecent.isEmpty }
    }

    /// What to evict to come down by so many bytes: damaged ones first, then expired ones, then least recently used
    /// ones, never what is pinned.
    ///
    /// Follows the indexes of the table: O(slice · log n).
    func choice(forBytes excess: Int, now: Date, slice: Int) async throws -> Choice {
        try await ask { try Self.choice(forBytes: excess, now: now, slice: slice, in: $0) }
    }

    static func choice(forBytes excess: Int, now: Date, slice: Int, in database: Database) throws -> Choice {
        var (excess, room) = (excess, slice)
        let arguments: StatementArguments = [now.timeIntervalSince1970, slice]
        let damaged = try ids(Self.damaged, [slice], in: database, &excess, &room)
        let expired = try ids(Self.expired, arguments, in: database, &excess, &room)
        let leastRecent = try ids(Self.leastRecent, arguments, in: database, &excess, &room)
        return Choice(damaged: damaged, expired: expired, leastRecent: leastRecent)
    }

    /// Entries whose time has come, the first of them first.
    func expired(now: Date, slice: Int) async throws -> [Int64] {
        try await ids(Self.expired, [now.timeIntervalSince1970, slice])
    }

    /// Entries that nobody has used since a date.
    func unused(since date: Date, slice: Int) async throws -> [Int64] {
        try await ids(Self.unused, [date.timeIntervalSince1970, slice])
    }

    /// Entries that a filter selects, in the order of their identifiers, from behind one of them.
    func ids(_ filter: CacheFilter, after id: Int64, now: Date, slice: Int) async throws -> [Int64] {
        let (sql, arguments) = Self.selected(filter, now: now)
        return try await ids(sql, arguments + [id, slice])
    }

    /// By another index than that of a source, each slice would be sorted out of all rows.
    static func selected(_ filter: CacheFilter, now: Date) -> (sql: String, arguments: StatementArguments) {
        let clause = filter.clause(now: now)
        let joint = clause.sql.isEmpty ? "WHERE" : "\(clause.sql) AND"
        let table = filter.namesSource ? "entry" : "entry NOT INDEXED"
        return ("SELECT id, 0 AS space FROM \(table) \(joint) id > ? ORDER BY id LIMIT ?", clause.arguments)
    }

    /// What a content takes of the file system.
    private static let space = BlobStore.space(ofColumn: "length") + " AS space"

    /// The plus keeps SQLite from the indexes that begin with `pinned`: it would walk over all that is not.
    static let damaged =
        "SELECT id, \(space) FROM entry WHERE damage IS NOT NULL AND +pinned = 0 LIMIT ?1"
    static let expired = """
        SELECT id, \(space) FROM entry WHERE pinned = 0 AND expires <= ?1 AND damage IS NULL
        ORDER BY expires LIMIT ?2
        """
    static let leastRecent = """
        SELECT id, \(space) FROM entry
        WHERE pinned = 0 AND (expires IS NULL OR expires > ?1) AND damage IS NULL ORDER BY accessed LIMIT ?2
        """
    static let unused =
        "SELECT id, \(space) FROM entry WHERE pinned = 0 AND accessed < ?1 ORDER BY accessed LIMIT ?2"

    private func ids(_ sql: String, _ arguments: StatementArguments) async throws -> [Int64] {
        try await ask { database in
            var (excess, room) = (Int.max, Int.max)
            return try Self.ids(sql, arguments, in: database, &excess, &room)
        }
    }

    /// Rows until the bytes or the room is used up; a row that makes no sense counts as nothing.
    private static func ids(
        _ sql: String, _ arguments: StatementArguments, in database: Database, _ excess: inout Int, _ room: inout Int
    ) throws -> [Int64] {
        var ids: [Int64] = []
        let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
        while excess > 0, room > 0, let row = try rows.next() {
            ids.append(try row.decode(Int64.self, forColumn: "id"))
            excess -= max(0, (try? row.decode(Int.self, forColumn: "space")) ?? 0)
            room -= 1
        }
        return ids
    }

    /// Removes rows, of which `sparesPinned` leaves those that have been pinned meanwhile; answers what went.
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

    /// Runs a removal; on a full file system a second time, with the content files deleted before the transaction ends.
    private func removing(_ removal: @escaping @Sendable (Database) throws -> Removal) async throws -> Removal {
        do { return try await commits.perform(removal) } catch let error where IndexDamage.isFull(error) {
            return try await commits.perform { [contents] database in
                let removed = try removal(database)
                try contents.releaseUnused(contents.pendingDeletions.removeAll(), in: database)
                return removed
            }
        }
    }

    /// Removes an entry whose content is damaged, and the content's file: the next store writes it anew.
    func removeDamaged(_ entry: CacheEntry) async throws -> Removal {
        try await removing { [contents] database in
            contents.blobs.remove(entry.contentName)
            return try Self.remove("id = ?", [entry.id], contents, in: database)
        }
    }

    /// Removes the rows of every kind of a source and processor; answers what went.
    func remove(source: String, processor: String) async throws -> Removal {
        try await removing { [contents] in
            try Self.remove(
                "source = ? AND processor = ?", [CacheEntryName.source(source), processor], contents, in: $0)
        }
    }

    /// Removes the rows of a source; answers what went.
    func remove(source: String) async throws -> Removal {
        try await removing { [contents] in
            try Self.remove("source = ?", [CacheEntryName.source(source)], contents, in: $0)
        }
    }

    /// Removes every row and all content; then the index file shrinks.
    func removeAll() async throws {
        try await commits.perform { [contents] database in
            try contents.blobs.removeAll()
            try DiskIndexSchema.removeAllRows(from: database)
        }
        try await shrink(pages: .max)
    }

    /// Moves what the log holds into the index file, and cuts the log off.
    func writePending() async throws {
        try await pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    }

    /// Gives free pages of the index file back to the file system.
    func shrink(pages: Int) async throws {
        try await pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA incremental_vacuum(\(min(pages, Int(Int32.max))))")
        }
    }

    /// Removes those of some content files that no entry uses.
    func releaseUnused(_ files: [String]) async throws {
        guard !files.isEmpty else { return }
        try await commits.perform { [contents] database in try contents.releaseUnused(files, in: database) }
    }

    static func remove(
        _ condition: String, _ values: Statement.Values, _ contents: ContentTable, in database: Database
    ) throws -> Removal {
        // Read to the end before contents are released: a statement that still runs holds its row.
        let rows = try database.cachedStatement(
            sql: "DELETE FROM entry WHERE \(condition) RETURNING content, key, url, processor, kind"
        ).all(values) { row in
            (content: try? row.checked(at: 0) as Int64, key: try? Self.key(row))
        }
        // A damaged row may name nothing, neither itself nor what could be released.
        var removal = Removal(keys: rows.map { $0.key ?? CacheEntryKey(source: "") })
        for row in rows {
            guard let content = row.content else { continue }
            removal.bytes += try contents.releaseUnused(content, in: database)
        }
        return removal
    }

    private static func key(_ row: some ColumnValues) throws -> CacheEntryKey {
        CacheEntryKey(
            shown: try row.checkedIfPresent(at: 1), url: try row.checked(at: 2), processor: try row.checked(at: 3),
            kind: try row.checked(at: 4))
    }
}

/// What went: the keys of the entries, and the bytes of contents that none needs any more.
struct Removal: Sendable {
    var keys: [CacheEntryKey] = []
    var bytes = 0

    var amount: CacheAmount { CacheAmount(entries: keys.count, bytes: bytes) }

    static func += (all: inout Removal, more: Removal) {
        all.keys += more.keys
        all.bytes += more.bytes
    }
}
