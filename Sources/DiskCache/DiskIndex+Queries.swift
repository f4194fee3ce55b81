import Dispatch
import Foundation
import GRDB
import Synchronization

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

/// Queries of entries.
extension DiskIndex {
    /// Runs a read of the entries that a query selects.
    func runQuery<Value: Sendable>(
        _ query: CacheEntryQuery, now: Date, _ body: @escaping @Sendable (CacheEntryQuery, Database) throws -> Value
    ) async throws -> Value {
        try await runSlowRead { [self] in
            let prepared = try prepare(query, now: now)
            return try pool.read { try body(prepared, $0) }
        }
    }

    /// Returns the query with the identifiers of the selected entries, if these are few.
    ///
    /// In the order of an index each row is a random access, so entries that are rare are found faster in the order of
    /// the table: 0.1 s instead of 2 s for 1,000,000 entries. Each processor reads a part of the table.
    private func prepare(_ query: CacheEntryQuery, now: Date) throws -> CacheEntryQuery {
        var query = query
        let ids = try pool.read { database in
            query = try query.resolved(in: database)
            let first = try Int64.fetchOne(database, sql: "SELECT min(id) FROM entry") ?? 0
            return first...max(first, try Int64.fetchOne(database, sql: "SELECT max(id) FROM entry") ?? 0)
        }
        guard let condition = query.scan(now: now) else { return query }
        let few = 10_000
        let length = (ids.upperBound - ids.lowerBound) / Int64(Self.parallelReads) + 1
        let found = Mutex<Result<[CacheEntryQuery.Selection], any Error>>(.success([]))
        DispatchQueue.concurrentPerform(iterations: Self.parallelReads) { part in
            let start = ids.lowerBound + Int64(part) * length
            let result = Result { try select(condition, among: start...(start + length - 1), limit: few + 1) }
            found.withLock { all in all = all.flatMap { all in result.map { all + [$0] } } }
        }
        let parts = try found.withLock { try $0.get() }
        let count = parts.reduce(0) { $0 + $1.count }
        if count <= few {
            let ids = parts.map(\.ids).filter { !$0.isEmpty }.joined(separator: ",")
            query.selected = CacheEntryQuery.Selection(ids: ids, count: count)
        }
        return query
    }

    private func select(
        _ condition: (sql: String, arguments: StatementArguments), among ids: ClosedRange<Int64>, limit: Int
    ) throws -> CacheEntryQuery.Selection {
        try pool.read { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT count(*), group_concat(id) FROM (
                        SELECT id FROM entry NOT INDEXED \(condition.sql) AND id BETWEEN ? AND ? LIMIT ?)
                    """, arguments: condition.arguments + [ids.lowerBound, ids.upperBound, limit])
            return CacheEntryQuery.Selection(ids: row?[1] ?? "", count: row?[0] ?? 0)
        }
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
