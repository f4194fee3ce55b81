import Foundation
import GRDB
import Raster

/// The index of the disk tier: one SQLite file that several processes share.
final class DiskIndex: Sendable {
    private let pool: DatabasePool
    private let commits: GroupCommit
    private let release: @Sendable (String) -> Void

    /// Opens or makes the index; throws what SQLite says.
    ///
    /// `release` is called with the digest of content that no row needs any more, within the transaction that took the
    /// last row: the lock that it holds keeps every other process from naming that content meanwhile.
    init(path: String, release: @escaping @Sendable (String) -> Void) throws {
        self.release = release
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 1000")
        }
        pool = try DatabasePool(path: path, configuration: configuration)
        try DiskIndexSchema.migrator.migrate(pool)
        commits = GroupCommit(pool: pool)
    }

    func entry(for key: CacheEntryKey) async throws -> CacheEntry? {
        try await pool.read { try CacheEntry.one(for: key, in: $0) }
    }

    func entry(id: Int64) async throws -> CacheEntry? {
        try await pool.read {
            try Row.fetchOne($0, sql: "SELECT * FROM entry WHERE id = ?", arguments: [id]).map(CacheEntry.init(row:))
        }
    }

    /// Another entry's end took the content away before this one's row was written.
    struct ContentGone: Error {}

    /// Writes a row in the place of the one with the same key; a pin outlives the change.
    ///
    /// `holdsContent` is asked within the transaction; throws `ContentGone` when it answers no.
    func insert(_ entry: CacheEntry, holdsContent: @escaping @Sendable () -> Bool) async throws {
        try await commits.perform { [release] database in
            guard holdsContent() else { throw ContentGone() }
            var entry = entry
            let old = try Row.fetchOne(
                database,
                sql: "DELETE FROM entry WHERE source = ? AND processor = ? AND kind = ? RETURNING digest, pinned",
                arguments: [entry.key.source, entry.key.processor, entry.key.kind.rawValue])
            entry.isPinned = old.flatMap { try? $0.decode(Bool.self, forColumn: "pinned") } ?? false
            try entry.insert(into: database)
            try Self.releaseContent(of: old, in: database, release)
            return old == nil ? 0 : 1
        }
    }

    /// Notes a use, which gives the entry the life it was stored with anew; it is written with the next batch.
    func touch(_ entry: CacheEntry, at now: Date) async {
        await commits.enqueue { database in
            // Life and access move together, so that a clock that jumps, back or forth, leaves the life as long as it was.
            try database.execute(
                sql: """
                    UPDATE entry SET accessed = ?1, expires = ?1 + max(0, expires - accessed), hits = hits + 1
                    WHERE id = ?2
                    """, arguments: [now.timeIntervalSince1970, entry.id])
            try Self.count("hits", by: 1, in: database)
            try Self.count("bytesSaved", by: entry.length, in: database)
        }
    }

    func count(_ counter: String, by amount: Int = 1) async {
        await commits.enqueue { try Self.count(counter, by: amount, in: $0) }
    }

    /// Removes rows; answers how many there were.
    @discardableResult
    func remove(ids: [Int64], counting counter: String? = nil) async throws -> Int {
        try await commits.perform { [release] database in
            let removed = try Self.remove(ids: ids, in: database, release)
            if let counter { try Self.count(counter, by: removed, in: database) }
            return removed
        }
    }

    /// Removes every row; `clear` removes the content within the transaction.
    func removeAll(_ clear: @escaping @Sendable () throws -> Void) async throws {
        try await commits.perform { database in
            try clear()
            try database.execute(sql: "DELETE FROM entry")
            try database.execute(sql: "DELETE FROM blob")
            return 0
        }
    }

    /// Releases those of some contents that no row needs.
    func releaseUnused(_ digests: [String]) async throws {
        try await commits.perform { [release] database in
            for digest in digests { try Self.releaseUnused(digest, in: database, release) }
            return 0
        }
    }

    /// What to evict to come down to `target` bytes: expired first, then least recently used, never what is pinned.
    func evictionCandidates(downTo target: Int, now: Date, slice: Int) async throws -> [Int64] {
        try await pool.read { database in
            var excess = try Self.totalBytes(in: database) - target
            guard excess > 0 else { return [] }
            var chosen: [Int64] = []
            for order in Self.evictionOrders {
                let rows = try Row.fetchCursor(database, sql: order, arguments: [now.timeIntervalSince1970, slice])
                while excess > 0, chosen.count < slice, let row = try rows.next() {
                    chosen.append(try row.decode(Int64.self, forColumn: "id"))
                    excess -= try row.decode(Int.self, forColumn: "length")
                }
            }
            return chosen
        }
    }

    /// Each follows an index, so that choosing takes no walk over the rows.
    private static let evictionOrders = [
        "SELECT id, length FROM entry WHERE pinned = 0 AND expires <= ?1 ORDER BY expires LIMIT ?2",
        """
        SELECT id, length FROM entry WHERE pinned = 0 AND (expires IS NULL OR expires > ?1)
        ORDER BY accessed LIMIT ?2
        """,
    ]

    func totalBytes() async throws -> Int { try await pool.read { try Self.totalBytes(in: $0) } }

    func statistics() async throws -> CacheStatistics {
        try await pool.read { database in
            var result = CacheStatistics()
            result.entries = try Int.fetchOne(database, sql: "SELECT count(*) FROM entry") ?? 0
            result.bytes = try Self.totalBytes(in: database)
            for row in try Row.fetchAll(database, sql: "SELECT name, value FROM counter") {
                let value = try row.decode(Int.self, forColumn: "value")
                switch try row.decode(String.self, forColumn: "name") {
                case "hits": result.hits = value
                case "misses": result.misses = value
                case "bytesSaved": result.bytesSaved = value
                case "evictions": result.evictions = value
                case "damaged": result.damaged = value
                default: break
                }
            }
            return result
        }
    }

    /// A window of entries and how many the query has in all.
    func entries(_ query: CacheEntryQuery, now: Date) async throws -> (entries: [CacheEntry], count: Int) {
        try await pool.read { database in
            let clause = query.clause(now: now)
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT * FROM entry \(clause.sql) ORDER BY \(query.order.sql(ascending: query.isAscending)) "
                    + "LIMIT ? OFFSET ?",
                arguments: clause.arguments + [query.limit, query.offset])
            let count = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM entry \(clause.sql)", arguments: clause.arguments)
            return (try rows.map(CacheEntry.init(row:)), count ?? 0)
        }
    }

    /// Waits until every write asked for so far is in the file.
    func flush() async throws { try await commits.perform { _ in 0 } }
}

extension DiskIndex {
    private static func count(_ counter: String, by amount: Int, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO counter (name, value) VALUES (?1, ?2)
                ON CONFLICT (name) DO UPDATE SET value = value + ?2
                """, arguments: [counter, amount])
    }

    private static func totalBytes(in database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT bytes FROM total") ?? 0
    }

    private static func remove(
        ids: [Int64], in database: Database, _ release: (String) -> Void
    ) throws -> Int {
        var removed = 0
        for id in ids {
            let old = try Row.fetchOne(
                database, sql: "DELETE FROM entry WHERE id = ? RETURNING digest", arguments: [id])
            if old != nil { removed += 1 }
            try releaseContent(of: old, in: database, release)
        }
        return removed
    }

    /// A damaged row may name nothing that could be released.
    private static func releaseContent(of row: Row?, in database: Database, _ release: (String) -> Void) throws {
        guard let digest = row.flatMap({ try? $0.decode(String.self, forColumn: "digest") }) else { return }
        try releaseUnused(digest, in: database, release)
    }

    private static func releaseUnused(_ digest: String, in database: Database, _ release: (String) -> Void) throws {
        let uses = try Int.fetchOne(database, sql: "SELECT uses FROM blob WHERE digest = ?", arguments: [digest])
        guard uses ?? 0 <= 0 else { return }
        try database.execute(sql: "DELETE FROM blob WHERE digest = ?", arguments: [digest])
        release(digest)
    }
}
