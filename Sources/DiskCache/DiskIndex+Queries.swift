import Foundation
import GRDB

/// Queries of entries, groups and sums.
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

    /// Returns a window of entries, and the number of entries that the query selects in all; skips rows that cannot be
    /// decoded.
    func entries(_ query: CacheEntryQuery, now: Date) async throws -> (entries: [CacheEntry], count: Int) {
        try await runQuery { database in
            let query = try query.prepared(now: now, in: database)
            let statement = query.statement(now: now)
            let rows = try Row.fetchAll(database, sql: statement.sql, arguments: statement.arguments)
            let count = try query.selected?.count ?? Self.count(query.filter, now: now, in: database)
            return (rows.compactMap { try? CacheEntry(row: $0) }, count)
        }
    }

    /// Returns the number of entries that precede an entry in a query; nil if the query does not select it.
    func place(of id: Int64, in query: CacheEntryQuery, now: Date) async throws -> Int? {
        try await runQuery { database in
            let statement = try query.resolved(in: database).place(of: id, now: now)
            return try Int.fetchOne(database, sql: statement.sql, arguments: statement.arguments)
        }
    }

    /// Returns how many of some entries exist, and the bytes that their removal would free.
    func amount(ids: [Int64]) async throws -> CacheAmount {
        try await runQuery { database in
            let list = "[\(ids.map(String.init).joined(separator: ","))]"
            let chosen = "WHERE id IN (SELECT value FROM json_each(?))"
            return try Self.amount(chosen, [list], in: database)
        }
    }

    /// Returns the identifiers of a window's entries.
    func ids(_ query: CacheEntryQuery, now: Date) async throws -> [Int64] {
        try await runQuery { database in
            let statement = try query.prepared(now: now, in: database).identifiers(now: now)
            return try Array(
                Row.fetchCursor(database, sql: statement.sql, arguments: statement.arguments)
                    .compactMap { try? $0.decode(Int64.self, atIndex: 0) })
        }
    }

    /// Returns the entries with some identifiers, in that order, without missing and undecodable ones.
    func entries(ids: [Int64]) async throws -> [CacheEntry] {
        try await runQuery { database in
            let statement = try database.cachedStatement(sql: CacheEntry.selectOne)
            return try ids.compactMap { try statement.first([$0]) { try? CacheEntry(row: $0) } ?? nil }
        }
    }

    /// Returns the number of entries that a filter selects, and the bytes that their removal would free.
    func amount(_ filter: CacheFilter, now: Date) async throws -> CacheAmount {
        try await runQuery { try Self.amount(filter, now: now, in: $0) }
    }

    /// Returns the amount that a filter selects, and the identifier of the latest entry.
    func countedAmount(_ filter: CacheFilter, now: Date) async throws -> (amount: CacheAmount, last: Int64) {
        try await runQuery { database in
            let last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM entry") ?? 0
            return (try Self.amount(filter, now: now, in: database), last)
        }
    }

    /// Returns a window of groups, the largest first, and the number of all groups.
    func groups(_ query: CacheGroupQuery, now: Date) async throws -> (groups: [CacheGroup], count: Int) {
        try await runQuery { database in
            var query = query
            query.filter = try query.filter.resolved(in: database)
            let (sql, arguments) = query.statement(now: now)
            let rows = try Row.fetchAll(
                database, sql: "\(sql) ORDER BY bytes DESC, value LIMIT ? OFFSET ?",
                arguments: arguments + [query.limit, query.offset])
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM (\(sql))", arguments: arguments)
            return (try rows.map(CacheGroup.init(row:)), count ?? 0)
        }
    }

    /// Returns the entries whose name begins with a prefix, originals first.
    func entries(named prefix: CacheEntryNamePrefix, limit: Int) async throws -> [CacheEntry] {
        try await runQuery { database in
            var condition = "source BETWEEN ? AND ?"
            var arguments: StatementArguments = [prefix.sources.first, prefix.sources.last]
            if let variants = prefix.variants {
                condition += " AND variant BETWEEN ? AND ?"
                arguments += [variants.first, variants.last]
            }
            return try Self.entries(condition, arguments + [limit], in: database)
        }
    }

    /// Returns the entries of a source, the original first.
    func entries(ofSource source: Data, limit: Int) async throws -> [CacheEntry] {
        try await runQuery { try Self.entries("source = ?", [source, limit], in: $0) }
    }

    /// Returns the entries whose address or key, as stored without secrets, equals a text.
    func entries(at address: String, limit: Int) async throws -> [CacheEntry] {
        try await runQuery { try Self.entries("url = ? OR key = ?", [address, address, limit], in: $0) }
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

    private static func entries(
        _ condition: String, _ arguments: StatementArguments, in database: Database
    ) throws -> [CacheEntry] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT \(CacheEntry.columns) FROM \(CacheEntry.tables) WHERE \(condition)
                ORDER BY source, variant LIMIT ?
                """, arguments: arguments
        ).compactMap { try? CacheEntry(row: $0) }
    }

    private static func amount(_ filter: CacheFilter, now: Date, in database: Database) throws -> CacheAmount {
        if filter.terms.isEmpty {
            return try Row.fetchOne(database, sql: "SELECT entries, bytes FROM total").map(CacheAmount.init(row:))
                ?? CacheAmount()
        }
        let clause = try filter.resolved(in: database).clause(now: now)
        return try amount(clause.sql, clause.arguments, in: database)
    }

    private static func amount(
        _ condition: String, _ arguments: StatementArguments, in database: Database
    ) throws -> CacheAmount {
        let sql = """
            SELECT coalesce(sum(entries), 0) AS entries, coalesce(sum(iif(entries >= uses, size, 0)), 0) AS bytes
            FROM (SELECT content, count(*) AS entries FROM entry \(condition) GROUP BY content)
            LEFT JOIN content ON number = content
            """
        return try Row.fetchOne(database, sql: sql, arguments: arguments).map(CacheAmount.init(row:)) ?? CacheAmount()
    }

    static func count(_ filter: CacheFilter, now: Date, in database: Database) throws -> Int {
        let clause = try filter.resolved(in: database).clause(now: now)
        let sql = filter.terms.isEmpty ? "SELECT entries FROM total" : "SELECT count(*) FROM entry \(clause.sql)"
        return try Int.fetchOne(database, sql: sql, arguments: clause.arguments) ?? 0
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
