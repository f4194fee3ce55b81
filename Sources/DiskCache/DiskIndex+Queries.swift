import Foundation
import GRDB

/// Queries of identifiers and sums.
extension DiskIndex {
    func totalBytes() throws -> Int {
        try read { try Int.fetchOne($0.cachedStatement(sql: "SELECT bytes FROM total")) ?? 0 }
    }

    /// Returns the disk usage of the contents in bytes, in whole blocks, to which the size limit applies.
    func totalSpace() throws -> Int { try read { try Self.totalSpace(in: $0) } }

    /// Returns the statistics of the index.
    ///
    /// Complexity: O(1), the index keeps the sums; damaged and expired entries are counted up to 1,000.
    func statistics(now: Date) throws -> CacheStatistics {
        try read { database in
            var result = CacheStatistics()
            result.damagedEntries =
                try Int.fetchOne(
                    try database.cachedStatement(
                        sql: "SELECT count(*) FROM (SELECT 1 FROM entry WHERE damage IS NOT NULL LIMIT 1000)")) ?? 0
            result.expiredEntries =
                try Int.fetchOne(
                    try database.cachedStatement(
                        sql: """
                            SELECT count(*) FROM (SELECT 1 FROM entry WHERE pinned = 0 AND expires <= ? LIMIT 1000)
                            """), arguments: [now.timeIntervalSince1970]) ?? 0
            if let total = try Row.fetchOne(try database.cachedStatement(sql: "SELECT * FROM total")) {
                result.entries = try total.decode(forColumn: "entries")
                result.bytes = try total.decode(forColumn: "bytes")
                result.space = try total.decode(forColumn: "space")
            }
            let rows = try Row.fetchCursor(try database.cachedStatement(sql: "SELECT name, value FROM counter"))
            while let row = try rows.next() {
                guard let counter = CacheCounter(name: try row.decode(forColumn: "name")) else { continue }
                result.life.add(counter, try row.decode(forColumn: "value"))
            }
            return result
        }
    }

    /// Returns whether the index has a content whose file exists.
    func holdsContent(named name: String) throws -> Bool {
        let known = try read { try ContentTable.content(named: name, in: $0) }
        return known.map { contents.blobs.holds($0.name, length: $0.length) } ?? false
    }

    /// Returns the number and bytes of the entries that are evicted before an entry.
    ///
    /// Counts at most `limit` entries.
    ///
    /// - Returns: nil if the entry is pinned.
    func evictedBefore(_ entry: CacheEntry, limit: Int) async throws -> CacheAmount? {
        guard !entry.isPinned else { return nil }
        return try await runQuery { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT count(*) AS entries, coalesce(sum(length), 0) AS bytes FROM (
                        SELECT length FROM entry WHERE pinned = 0 AND accessed < ? ORDER BY accessed LIMIT ?)
                    """, arguments: [entry.accessed.timeIntervalSince1970, limit])
            return try row.map(CacheAmount.init(row:))
        }
    }

    static func totalSpace(in database: Database) throws -> Int {
        try database.cachedStatement(sql: "SELECT space FROM total").first { try $0.checked(at: 0) } ?? 0
    }
}

/// Times that a sweep needs.
extension DiskIndex {
    /// Returns the time of the last recorded sweep; nil if there is none.
    func lastSweep() async throws -> Date? {
        let seconds = try await runQuery {
            try Int.fetchOne($0, sql: "SELECT value FROM counter WHERE name = 'sweptAt'")
        }
        return seconds.map { Date(timeIntervalSince1970: Double($0)) }
    }

    func recordSweep(at now: Date) async throws {
        let seconds = Int(exactly: now.timeIntervalSince1970.rounded()) ?? 0
        try await commits.perform { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO counter (name, value) VALUES ('sweptAt', ?)", arguments: [seconds])
        }
    }

    /// Sets a last use that lies more than an hour in the future to now, and restarts the lifetimes of these entries.
    ///
    /// A clock that was ahead of time causes such entries.
    func correctFutureUses(now: Date) async throws {
        try await commits.perform { database in
            try database.execute(
                sql: """
                    UPDATE entry SET accessed = ?1, stored = min(stored, ?1), expires = \(ExpirationExtending.expiryAnew)
                    WHERE pinned IN (0, 1) AND accessed > ?1 + 3600
                    """, arguments: [now.timeIntervalSince1970])
        }
    }
}
