import Foundation
import GRDB

/// What is in the index, in windows and in numbers.
extension DiskIndex {
    func totalBytes() async throws -> Int { try read { try Self.totalBytes(in: $0) } }

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

    static func totalBytes(in database: Database) throws -> Int {
        try Int.fetchOne(try database.cachedStatement(sql: "SELECT bytes FROM total")) ?? 0
    }
}

/// What a sweep needs to know of time.
extension DiskIndex {
    /// When the last sweep was noted; nil when none was.
    func lastSweep() async throws -> Date? {
        let seconds = try await pool.read {
            try Int.fetchOne($0, sql: "SELECT value FROM counter WHERE name = 'sweptAt'")
        }
        return seconds.map { Date(timeIntervalSince1970: Double($0)) }
    }

    func noteSweep(at now: Date) async throws {
        let seconds = Int(exactly: now.timeIntervalSince1970.rounded()) ?? 0
        try await commits.perform { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO counter (name, value) VALUES ('sweptAt', ?)", arguments: [seconds])
        }
    }

    /// Gives entries that a clock ahead of its time has marked a use just now, with their lives anew; an hour is no
    /// jump.
    func takeBackFromTheFuture(now: Date) async throws {
        try await commits.perform { database in
            try database.execute(
                sql: """
                    UPDATE entry SET accessed = ?1, stored = min(stored, ?1), expires = \(ExpirationExtending.expiryAnew)
                    WHERE accessed > ?1 + 3600
                    """, arguments: [now.timeIntervalSince1970])
        }
    }
}
