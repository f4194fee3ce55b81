import AlcedoSQLite

/// Queries and repairs for a verification of the cache.
extension DiskIndex {
    /// A row to check; the entry is nil if the row cannot be decoded.
    struct VerifiedRow: Sendable {
        let id: Int64
        let entry: CacheEntry?
    }

    func verificationSlice(after id: Int64) async throws -> [VerifiedRow] {
        try await runQuery { database in
            try database.rows(
                "SELECT \(CacheEntry.columns) FROM \(CacheEntry.tables) WHERE id > ? ORDER BY id LIMIT 256", [id]
            ) { row in VerifiedRow(id: try row.value(at: 0), entry: try? CacheEntry(row: row)) }
        }
    }

    /// Marks entries as damaged; nil removes the mark.
    func mark(_ verdicts: [(id: Int64, damage: String?)]) async throws {
        try await commits.perform { database in
            for verdict in verdicts {
                try database.run("UPDATE entry SET damage = ? WHERE id = ?", [verdict.damage, verdict.id])
            }
        }
    }

    /// Returns the given content files that no row names.
    func unusedFiles(_ names: [String]) async throws -> [String] {
        try await runQuery { database in
            try names.filter { try ContentTable.content(named: $0, in: database) == nil }
        }
    }

    /// The name of the index file in findings.
    static let structure = "index"

    /// Returns the faults of the index file and its sums.
    ///
    /// - Parameters:
    ///   - isFull: Whether to run SQLite's integrity check instead of its quick check.
    ///   - repairs: Whether to correct wrong sums.
    func check(isFull: Bool, repairs: Bool) async throws -> [(part: String, detail: String)] {
        let pragma = isFull ? "integrity_check" : "quick_check"
        var faults = try await runQuery { database in
            let lines: [String] = try database.values("PRAGMA \(pragma)(20)")
            return lines.filter { $0 != "ok" }.flatMap { $0.split(separator: "\n") }
                .map { (part: Self.structure, detail: String($0)) }
        }
        faults += try await commits.perform { database in
            let wrong = try Self.wrongSums(in: database)
            if repairs, !wrong.isEmpty { try Self.repairSums(in: database) }
            return wrong
        }
        return faults
    }

    private static let sums = [
        ("entries", "SELECT entries FROM total", "SELECT count(*) FROM entry"),
        ("bytes", "SELECT bytes FROM total", "SELECT coalesce(sum(size), 0) FROM content"),
        (
            "blocks", "SELECT space FROM total",
            "SELECT coalesce(sum(\(BlobStore.space(ofColumn: "size"))), 0) FROM content"
        ),
        ("uses", "SELECT coalesce(sum(uses), 0) FROM content", "SELECT count(*) FROM entry"),
    ]

    private static func wrongSums(in database: Database) throws -> [(part: String, detail: String)] {
        try sums.compactMap { part, noted, counted in
            let (noted, counted): (Int?, Int?) = (try database.value(noted), try database.value(counted))
            return noted == counted ? nil : (part, "\(noted ?? 0) noted, \(counted ?? 0) counted")
        }
    }

    private static func repairSums(in database: Database) throws {
        try database.execute(
            """
            UPDATE content SET uses = (SELECT count(*) FROM entry WHERE entry.content = content.number);
            DELETE FROM content WHERE uses = 0;
            UPDATE total SET entries = (SELECT count(*) FROM entry),
                bytes = (SELECT coalesce(sum(size), 0) FROM content),
                space = (SELECT coalesce(sum(\(BlobStore.space(ofColumn: "size"))), 0) FROM content);
            """)
    }
}
