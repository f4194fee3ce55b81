import Foundation
import GRDB
import Raster

/// The index of the disk tier: one SQLite file that several processes share.
final class DiskIndex: Sendable {
    private let pool: DatabasePool
    private let commits: GroupCommit

    /// Opens or makes the index; throws what SQLite says.
    init(path: String) throws {
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

    /// Writes a row; the content it replaces is answered when no row needs it any more.
    func insert(_ entry: CacheEntry) async throws -> [String] {
        try await commits.perform { database in
            let orphans = try Self.remove(where: CacheEntry.one(for: entry.key, in: database).map { [$0.id] } ?? [], in: database)
            try entry.insert(into: database)
            return orphans.filter { $0 != entry.digest }
        }
    }

    /// Notes a use; it is written with the next batch.
    func touch(_ entry: CacheEntry, at now: Date, expires: Date?) async {
        await commits.enqueue { database in
            try database.execute(
                sql: "UPDATE entry SET accessed = max(accessed, ?), expires = ?, hits = hits + 1 WHERE id = ?",
                arguments: [now.timeIntervalSince1970, expires?.timeIntervalSince1970, entry.id])
            try Self.count("hits", by: 1, in: database)
            try Self.count("bytesSaved", by: entry.length, in: database)
        }
    }

    func count(_ counter: String, by amount: Int = 1) async {
        await commits.enqueue { try Self.count(counter, by: amount, in: $0) }
    }

    /// Removes rows; answers the digests that no row needs any more.
    func remove(ids: [Int64]) async throws -> [String] {
        try await commits.perform { try Self.remove(where: ids, in: $0) }
    }

    func removeAll() async throws {
        try await commits.perform { database in
            try database.execute(sql: "DELETE FROM entry")
            try database.execute(sql: "DELETE FROM blob")
            return []
        }
    }

    /// What to evict to come down to `target` bytes: expired first, then least recently used, never what is pinned.
    func evictionCandidates(downTo target: Int, now: Date, slice: Int) async throws -> [Int64] {
        try await pool.read { database in
            var excess = try Self.totalBytes(in: database) - target
            guard excess > 0 else { return [] }
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT id, length FROM (
                        SELECT id, length, 0 AS rank, expires AS moment FROM entry
                        WHERE pinned = 0 AND expires < ?1
                        UNION ALL
                        SELECT id, length, 1, accessed FROM entry
                        WHERE pinned = 0 AND (expires IS NULL OR expires >= ?1))
                    ORDER BY rank, moment LIMIT ?2
                    """, arguments: [now.timeIntervalSince1970, slice])
            var chosen: [Int64] = []
            while excess > 0, let row = try rows.next() {
                chosen.append(row["id"])
                excess -= row["length"] as Int
            }
            return chosen
        }
    }

    func totalBytes() async throws -> Int { try await pool.read { try Self.totalBytes(in: $0) } }

    func statistics() async throws -> CacheStatistics {
        try await pool.read { database in
            var result = CacheStatistics()
            result.entries = try Int.fetchOne(database, sql: "SELECT count(*) FROM entry") ?? 0
            result.bytes = try Self.totalBytes(in: database)
            for row in try Row.fetchAll(database, sql: "SELECT name, value FROM counter") {
                switch row["name"] as String {
                case "hits": result.hits = row["value"]
                case "misses": result.misses = row["value"]
                case "bytesSaved": result.bytesSaved = row["value"]
                case "evictions": result.evictions = row["value"]
                case "damaged": result.damaged = row["value"]
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
            return (rows.map(CacheEntry.init(row:)), count ?? 0)
        }
    }

    /// Waits until every write asked for so far is in the file.
    func flush() async throws { _ = try await commits.perform { _ in [] } }
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

    private static func remove(where ids: [Int64], in database: Database) throws -> [String] {
        var orphans: [String] = []
        for id in ids {
            let digest = try String.fetchOne(
                database, sql: "DELETE FROM entry WHERE id = ? RETURNING digest", arguments: [id])
            guard let digest else { continue }
            let used = try Int.fetchOne(database, sql: "SELECT uses FROM blob WHERE digest = ?", arguments: [digest])
            guard used ?? 0 <= 0 else { continue }
            try database.execute(sql: "DELETE FROM blob WHERE digest = ?", arguments: [digest])
            orphans.append(digest)
        }
        return orphans
    }
}
