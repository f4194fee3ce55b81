import Foundation
import GRDB
import Raster

/// The index of the disk tier: one SQLite file that several processes share.
final class DiskIndex: Sendable {
    let pool: DatabasePool
    let commits: GroupCommit
    let release: @Sendable (String) -> Void

    /// Opens or makes the index; throws what SQLite says.
    ///
    /// `release` is called with the name of content that no row needs any more, within the transaction that took the
    /// last row: the lock that it holds keeps every other process from naming that content meanwhile.
    init(path: String, release: @escaping @Sendable (String) -> Void) throws {
        self.release = release
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            // 16 MiB: each checkpoint synchronises the index with the disk, and stores wait for it.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 4096")
        }
        pool = try DatabasePool(path: path, configuration: configuration)
        try DiskIndexSchema.migrate(pool)
        commits = GroupCommit(pool: pool)
    }

    func entry(for key: CacheEntryKey) async throws -> CacheEntry? {
        try read { try CacheEntry.one(for: key, in: $0) }
    }

    /// Runs one statement, on the calling thread: changing threads would take longer than the statement.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try pool.unsafeRead(body) }

    /// Another entry's end took the content away before this one's row was written.
    struct ContentGone: Error {}

    /// What a store has changed.
    struct Insertion: Sendable {
        var isReplacement = false
        /// Of all contents, the new one included.
        var totalBytes = 0
    }

    /// Writes a row in the place of the one with the same key, whose pin it keeps.
    ///
    /// `holdsContent` is asked within the transaction; throws `ContentGone` when it answers no.
    @discardableResult
    func insert(
        _ entry: CacheEntry, isDurable: Bool = false, holdsContent: @escaping @Sendable () -> Bool
    ) async throws -> Insertion {
        try await commits.perform(isDurable: isDurable) { [release] database in
            guard holdsContent() else { throw ContentGone() }
            var entry = entry
            let old = try Row.fetchOne(
                try database.cachedStatement(
                    sql: "DELETE FROM entry WHERE source = ? AND processor = ? AND kind = ? RETURNING digest, pinned"),
                arguments: [entry.key.source, entry.key.processor, entry.key.kind.rawValue])
            entry.isPinned = old.flatMap { try? $0.decode(Bool.self, forColumn: "pinned") } ?? false
            try entry.insert(into: database)
            try Self.releaseContent(of: old, in: database, release)
            return Insertion(isReplacement: old != nil, totalBytes: try Self.totalBytes(in: database))
        }
    }

    /// Notes a use, which moves the entry's expiry as `extending` says; it is written with the next batch.
    func touch(_ entry: CacheEntry, at now: Date, extending: ExpirationExtending) async {
        let renewal = extending.renewal(from: now)
        await commits.enqueue(counting: [("hits", 1), ("bytesSaved", entry.length)]) { database in
            // Life and access move together, so that a clock that jumps, back or forth, leaves the life as long as it was.
            try database.cachedStatement(
                sql: """
                    UPDATE entry SET accessed = ?1, expires = \(renewal.expires), hits = hits + 1,
                        life = \(ExpirationExtending.life)
                    WHERE id = ?2
                    """
            ).execute(arguments: [now.timeIntervalSince1970, entry.id] + renewal.arguments)
        }
    }

    func count(_ counter: String) async { await commits.enqueue(counting: [(counter, 1)]) }

    /// Waits until every write asked for so far is in the file.
    func flush() async throws { try await commits.perform { _ in } }

    static func count(_ counter: String, by amount: Int, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO counter (name, value) VALUES (?1, ?2)
                ON CONFLICT (name) DO UPDATE SET value = value + ?2
                """
        ).execute(arguments: [counter, amount])
    }
}

extension ExpirationExtending {
    /// How long an entry lives from a use, in seconds, below 0 for ever; rows of version 1 tell it by their times.
    static let life = "coalesce(life, max(0, expires - accessed), -1)"

    /// An expiry a whole life from ?1, NULL for ever.
    static let expiryAnew = "CASE WHEN \(life) < 0 THEN NULL ELSE ?1 + \(life) END"

    /// What becomes of the column `expires` at a use at the time ?1.
    fileprivate func renewal(from now: Date) -> (expires: String, arguments: StatementArguments) {
        switch self {
        case .none: ("expires", [])
        case .cacheTime: (Self.expiryAnew, [])
        case .expirationTime(let expiration): ("?3", [expiration.date(from: now)?.timeIntervalSince1970])
        }
    }
}
