import Dispatch
import Foundation
import GRDB
import Raster
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
                guard let counter = CacheCounter(rawValue: try row.decode(forColumn: "name")) else { continue }
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
                    WITH before AS (
                        SELECT content, length FROM entry WHERE pinned = 0 AND accessed < ? ORDER BY accessed LIMIT ?)
                    SELECT (SELECT count(*) FROM before) AS entries, coalesce(sum(length), 0) AS bytes
                    FROM (SELECT DISTINCT content, length FROM before)
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
    /// Along the index of an order, each row is a random access. Rare entries are found faster by a scan of the table:
    /// in 0.1 s instead of 2 s among 1,000,000 entries. All processors read slices of the table.
    private func prepare(_ query: CacheEntryQuery, now: Date) throws -> CacheEntryQuery {
        var query = query
        let (first, last) = try pool.read { database in
            query = try query.resolved(in: database)
            return (
                try Int64.fetchOne(database, sql: "SELECT min(id) FROM entry") ?? 0,
                try Int64.fetchOne(database, sql: "SELECT max(id) FROM entry") ?? 0
            )
        }
        // A healthy index has identifiers from 1 on.
        guard let condition = query.scan(now: now), first >= 0, last < 1 << 60 else { return query }
        let (few, slices) = (10_000, Int64(64))
        let length = (last - first) / slices + 1
        let scan = Mutex(TableScan())
        DispatchQueue.concurrentPerform(iterations: Self.parallelReads) { _ in
            while let slice = scan.withLock({ $0.nextSlice(of: slices, limit: few) }) {
                let start = first + slice * length
                let result = Result { try select(condition, among: start..<start + length, limit: few + 1) }
                scan.withLock { $0.add(result) }
            }
        }
        let found = scan.withLock { $0 }
        if let error = found.error { throw error }
        if found.count <= few { query.candidates = "[\(found.ids.joined(separator: ","))]" }
        return query
    }

    private func select(
        _ condition: (sql: String, arguments: StatementArguments), among ids: Range<Int64>, limit: Int
    ) throws -> (ids: String, count: Int) {
        try pool.read { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT count(*), group_concat(id) FROM (
                        SELECT id FROM entry NOT INDEXED \(condition.sql) AND id >= ? AND id < ? LIMIT ?)
                    """, arguments: condition.arguments + [ids.lowerBound, ids.upperBound, limit])
            return (row?[1] ?? "", row?[0] ?? 0)
        }
    }
}

/// The progress of a search through slices of a table.
private struct TableScan {
    private(set) var ids: [String] = []
    private(set) var count = 0
    private(set) var error: (any Error)?
    private var started: Int64 = 0

    /// Returns the next slice; nil at the end, after an error, and once more than `limit` rows are found.
    mutating func nextSlice(of slices: Int64, limit: Int) -> Int64? {
        guard started < slices, error == nil, count <= limit else { return nil }
        defer { started += 1 }
        return started
    }

    mutating func add(_ result: Result<(ids: String, count: Int), any Error>) {
        switch result {
        case .success(let found):
            if found.count > 0 { ids.append(found.ids) }
            count += found.count
        case .failure(let error): self.error = error
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
