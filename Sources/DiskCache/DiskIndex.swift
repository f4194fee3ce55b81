import Dispatch
import Foundation
import GRDB
import Glibc
import Raster

/// The index of the disk tier: one SQLite file that several processes share.
///
/// A content file is deleted after the transaction that removed its last row, within one of its own: the lock of that
/// keeps every other process from naming the file meanwhile.
package final class DiskIndex: Sendable {
    let pool: DatabasePool
    private let questions = DispatchQueue(label: "alcedo.cache.questions")
    let commits: GroupCommit
    let isReadOnly: Bool
    let contents: ContentTable

    /// Opens or makes the index, or opens it for reading only; throws what SQLite says.
    init(path: String, blobs: BlobStore, isReadOnly: Bool = false, busyTimeout: TimeInterval = 5) throws {
        contents = ContentTable(blobs: blobs)
        self.isReadOnly = isReadOnly
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        configuration.maximumReaderCount = 4
        configuration.readonly = isReadOnly
        configuration.prepareDatabase { database in
            database.add(function: .unescaped)
            // Room that goes free is given back by the sweeps; that is said before there is a first page.
            if try !database.configuration.readonly && Self.isNew(database) {
                try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            }
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            // What undoes one write of a group stays in memory: in a file it would take two writes a page.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            // 16 MiB: each checkpoint synchronises the index with the disk, and stores wait for it.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 4096")
        }
        let name = isReadOnly ? Self.nameForReading(path) : path
        pool = try Self.pool(name, configuration, busyTimeout: busyTimeout)
        try DiskIndexSchema.prepare(pool)
        // Writers may wait longer than one who opens the index to read.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 5000") }
        commits = GroupCommit(pool: pool, contents: contents)
    }

    /// Opens the file; tries again for the busy time-out.
    ///
    /// Where two processes make the file at a time, SQLite refuses one at once instead of letting it wait.
    private static func pool(
        _ path: String, _ configuration: Configuration, busyTimeout: TimeInterval
    ) throws -> DatabasePool {
        let deadline = ContinuousClock.now + .seconds(busyTimeout)
        while true {
            do { return try DatabasePool(path: path, configuration: configuration) } catch let error as DatabaseError
                where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < deadline
            {
                usleep(20_000)
            }
        }
    }

    /// What readers agree on lies in memory then, where the file system takes nothing; without a log the file is all.
    private static func nameForReading(_ path: String) -> String {
        let hasLog = FreeSpace.bytesTaken(by: path + "-wal") > 0
        return URL(filePath: path).absoluteString + (hasLog ? "?readonly_shm=1" : "?immutable=1")
    }

    private static func isNew(_ database: Database) throws -> Bool {
        try Int.fetchOne(database, sql: "PRAGMA page_count") == 0
    }

    func entry(for key: CacheEntryKey) throws -> CacheEntry? {
        let name = CacheEntryName(key)
        return try read { try CacheEntry.one(named: name, in: $0) }
    }

    /// The entries under some keys, in their order, in one read.
    func entries(for keys: [CacheEntryKey]) throws -> [CacheEntry?] {
        let names = keys.map(CacheEntryName.init)
        return try pool.read { database in try names.map { try CacheEntry.one(named: $0, in: database) } }
    }

    /// The contents of some keys, in their order, in one read; nil for what is not there, no longer alive or damaged.
    func livingContents(of keys: [CacheEntryKey], at now: Date) throws -> [StoredContent?] {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT number, name, length FROM entry JOIN content ON number = entry.content
                    WHERE source = ? AND variant = ? AND (pinned <> 0 OR expires IS NULL OR expires > ?)
                        AND damage IS NULL
                    """)
            return try keys.map(CacheEntryName.init).map { name in
                // A damaged row is none.
                try statement.first([name.source, name.variant, now.timeIntervalSince1970]) {
                    try? StoredContent(row: $0)
                } ?? nil
            }
        }
    }

    func entry(_ id: Int64) throws -> CacheEntry? { try read { try CacheEntry.one(id, in: $0) } }

    /// Runs one statement, on the calling thread: changing threads would take longer than the statement.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try pool.unsafeRead(body) }

    /// Asks what may take long, apart from the calling thread; such questions are answered one after the other.
    ///
    /// Whoever has one of the pool's readers here has a thread too. `DatabasePool.read` of an async caller takes the
    /// reader first and then waits for a thread: on two processors two that wait for readers leave it none.
    func ask<Value: Sendable>(_ question: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            questions.async { [pool] in continuation.resume(with: Result { try pool.read(question) }) }
        }
    }

    /// What a store has changed.
    struct Insertion: Sendable {
        /// What stood there before, and what had been made of it.
        var replaced: [CacheEntryKey] = []
        /// Of all contents, the new one included, in whole blocks.
        var totalSpace = 0
    }

    /// Writes a row in the place of the one with the same key, whose pin it keeps.
    ///
    /// Where an original's bytes are others than before, what was made of those goes; so it does where the original was
    /// evicted before it, as nothing says of which bytes it was made.
    ///
    /// Throws `ContentTable.ContentGone` when a content that has a file lost it.
    @discardableResult
    func insert(
        _ entry: CacheEntry, content: ContentName, isDurable: Bool = false
    ) async throws -> Insertion {
        try await commits.perform(isDurable: isDurable) { [contents] database in
            let id = try contents.adopt(content, length: entry.length, in: database)
            var replaced: [CacheEntryKey] = []
            if try !entry.insert(content: id, into: database) {
                replaced = [entry.key] + (try Self.replace(with: entry, content: id, contents, in: database))
            } else if entry.key.isSource {
                replaced = try Self.removeMade(of: entry, contents, in: database)
            }
            return Insertion(replaced: replaced, totalSpace: try Self.totalSpace(in: database))
        }
    }

    /// Answers the keys of what had been made of other bytes.
    ///
    /// Those entries would be served for ever. After an eviction of the original it is unknown whether its bytes are
    /// the same, so that they are removed then, too.
    private static func replace(
        with entry: CacheEntry, content: Int64, _ contents: ContentTable, in database: Database
    ) throws -> [CacheEntryKey] {
        let old = try database.cachedStatement(
            sql: "DELETE FROM entry WHERE source = ? AND variant = ? RETURNING content, pinned"
        ).first([entry.entryName.source, entry.entryName.variant]) {
            (content: try? $0.checked(at: 0) as Int64, isPinned: (try? $0.checked(at: 1)) ?? false)
        }
        var entry = entry
        entry.isPinned = old?.isPinned ?? false
        guard try entry.insert(content: content, into: database) else {
            throw DatabaseError(resultCode: .SQLITE_CONSTRAINT)
        }
        // A damaged row may name nothing that could be released.
        if let old, let gone = old.content { try contents.releaseUnused(gone, in: database) }
        guard entry.key.isSource, old?.content != content else { return [] }
        return try removeMade(of: entry, contents, in: database)
    }

    private static func removeMade(
        of entry: CacheEntry, _ contents: ContentTable, in database: Database
    ) throws -> [CacheEntryKey] {
        let name = entry.entryName
        return try remove("source = ? AND variant <> ?", [name.source, name.variant], contents, in: database).keys
    }

    /// Notes a use of some entries, which moves their expiry as `extending` says; it is written with the next batch.
    func touch(_ entries: [CacheEntry], at now: Date, extending: ExpirationExtending) {
        let renewal = extending.renewal(from: now)
        let counts = [(CacheCounter.diskHits, entries.count), (.bytesSaved, entries.reduce(0) { $0 + $1.length })]
        let numbers = entries.map(\.id)
        commits.enqueue(counting: counts) { database in
            // Life and access move together, so that a clock that jumps, back or forth, leaves the life as long as it was.
            // One that is behind the store is wrong: nothing is used before it is there.
            let statement = try database.cachedStatement(
                sql: """
                    UPDATE entry SET accessed = max(?1, stored), expires = \(renewal.expires), hits = hits + 1
                    WHERE id = ?2
                    """)
            for number in numbers {
                try statement.run([now.timeIntervalSince1970, number] + renewal.values)
            }
        }
    }

    /// Begins the life of an entry whose server said that it still holds anew; answers whether there was such a row.
    func renew(
        _ entry: CacheEntry, at now: Date, expires: Date?, etag: String?, lastModified: String?
    ) async throws -> Bool {
        try await commits.perform { database in
            try database.cachedStatement(
                sql: """
                    UPDATE entry SET accessed = ?1, expires = ?2, life = ?3, hits = hits + 1,
                        etag = coalesce(?4, etag), lastModified = coalesce(?5, lastModified)
                    WHERE id = ?6
                    """
            ).run([
                now.timeIntervalSince1970, expires?.timeIntervalSince1970,
                expires.map { max(0, $0.timeIntervalSince(now)) } ?? -1, etag, lastModified, entry.id,
            ])
            let found = database.changesCount > 0
            guard found else { return false }
            try Self.count(.revalidated, by: 1, in: database)
            try Self.count(.bytesSaved, by: entry.length, in: database)
            return true
        }
    }

    func count(_ counter: CacheCounter, by amount: Int = 1) {
        commits.enqueue(counting: [(counter, amount)])
    }

    /// Waits until every write asked for so far is in the file.
    func flush() async throws { try await commits.perform { _ in } }

    static func count(_ counter: CacheCounter, by amount: Int, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO counter (name, value) VALUES (?1, ?2)
                ON CONFLICT (name) DO UPDATE SET value = value + ?2
                """
        ).run([counter.name, amount])
    }
}

extension ExpirationExtending {
    /// An expiry a whole life from ?1, NULL for ever.
    static let expiryAnew = "CASE WHEN life < 0 THEN NULL ELSE ?1 + life END"

    /// What becomes of the column `expires` at a use at the time ?1, or when it was stored, where that is later.
    fileprivate func renewal(from now: Date) -> (expires: String, values: Statement.Values) {
        switch self {
        case .none: ("expires", [])
        case .cacheTime: ("CASE WHEN life < 0 THEN NULL ELSE max(?1, stored) + life END", [])
        case .expirationTime(let expiration): ("?3", [expiration.date(from: now)?.timeIntervalSince1970])
        }
    }
}
