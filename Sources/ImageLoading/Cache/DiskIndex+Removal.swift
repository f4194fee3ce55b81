import Foundation
import GRDB

/// What goes, and what is to go next.
extension DiskIndex {
    /// Rows to remove, by why they were chosen.
    struct Choice: Sendable {
        var expired: [Int64] = []
        var leastRecent: [Int64] = []

        var isEmpty: Bool { expired.isEmpty && leastRecent.isEmpty }
    }

    /// What to evict to come down by so many bytes: expired first, then least recently used, never what is pinned.
    ///
    /// Follows the indexes of the table: O(slice · log n).
    func choice(forBytes excess: Int, now: Date, slice: Int) async throws -> Choice {
        try await pool.read { database in
            var (excess, room) = (excess, slice)
            let arguments: StatementArguments = [now.timeIntervalSince1970, slice]
            let expired = try Self.ids(Self.expired, arguments, in: database, &excess, &room)
            let leastRecent = try Self.ids(Self.leastRecent, arguments, in: database, &excess, &room)
            return Choice(expired: expired, leastRecent: leastRecent)
        }
    }

    /// Entries whose time has come, the first of them first.
    func expired(now: Date, slice: Int) async throws -> [Int64] {
        try await ids(Self.expired, [now.timeIntervalSince1970, slice])
    }

    /// Entries that nobody has used since a date.
    func unused(since date: Date, slice: Int) async throws -> [Int64] {
        try await ids(Self.unused, [date.timeIntervalSince1970, slice])
    }

    private static let expired =
        "SELECT id, length FROM entry WHERE pinned = 0 AND expires <= ?1 ORDER BY expires LIMIT ?2"
    private static let leastRecent = """
        SELECT id, length FROM entry WHERE pinned = 0 AND (expires IS NULL OR expires > ?1)
        ORDER BY accessed LIMIT ?2
        """
    private static let unused =
        "SELECT id, length FROM entry WHERE pinned = 0 AND accessed < ?1 ORDER BY accessed LIMIT ?2"

    private func ids(_ sql: String, _ arguments: StatementArguments) async throws -> [Int64] {
        try await pool.read { database in
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
            excess -= max(0, (try? row.decode(Int.self, forColumn: "length")) ?? 0)
            room -= 1
        }
        return ids
    }

    /// Removes rows; answers their keys.
    @discardableResult
    func remove(ids: [Int64], counting counter: String? = nil) async throws -> [CacheEntryKey] {
        try await commits.perform { [release] database in
            var removed: [CacheEntryKey] = []
            for id in ids {
                removed += try Self.remove("id = ?", [id], in: database, release)
            }
            if let counter { try Self.count(counter, by: removed.count, in: database) }
            return removed
        }
    }

    /// Removes the rows of every kind of a source and processor; answers their keys.
    func remove(source: String, processor: String) async throws -> [CacheEntryKey] {
        try await commits.perform { [release] in
            try Self.remove("source = ? AND processor = ?", [source, processor], in: $0, release)
        }
    }

    /// Removes the rows of a source; answers their keys.
    func remove(source: String) async throws -> [CacheEntryKey] {
        try await commits.perform { [release] in try Self.remove("source = ?", [source], in: $0, release) }
    }

    /// Removes every row; `clear` removes the content within the transaction.
    func removeAll(_ clear: @escaping @Sendable () throws -> Void) async throws {
        try await commits.perform { database in
            try clear()
            try database.execute(sql: "DELETE FROM entry")
            try database.execute(sql: "DELETE FROM blob")
        }
    }

    /// Releases those of some contents that no row needs.
    func releaseUnused(_ names: [String]) async throws {
        try await commits.perform { [release] database in
            for name in names { try Self.releaseUnused(name, in: database, release) }
        }
    }

    private static func remove(
        _ condition: String, _ arguments: StatementArguments, in database: Database, _ release: (String) -> Void
    ) throws -> [CacheEntryKey] {
        let rows = try Row.fetchAll(
            try database.cachedStatement(
                sql: "DELETE FROM entry WHERE \(condition) RETURNING digest, source, processor, kind"),
            arguments: arguments)
        for row in rows { try releaseContent(of: row, in: database, release) }
        // A damaged row may name nothing; it goes all the same.
        return rows.map { (try? CacheEntryKey(row: $0)) ?? CacheEntryKey(source: "") }
    }

    /// A damaged row may name nothing that could be released.
    static func releaseContent(of row: Row?, in database: Database, _ release: (String) -> Void) throws {
        guard let name = row.flatMap({ try? $0.decode(String.self, forColumn: "digest") }) else { return }
        try releaseUnused(name, in: database, release)
    }

    private static func releaseUnused(_ name: String, in database: Database, _ release: (String) -> Void) throws {
        let uses = try Int.fetchOne(
            try database.cachedStatement(sql: "SELECT uses FROM blob WHERE digest = ?"), arguments: [name])
        guard uses ?? 0 <= 0 else { return }
        try database.cachedStatement(sql: "DELETE FROM blob WHERE digest = ?").execute(arguments: [name])
        release(name)
    }
}
