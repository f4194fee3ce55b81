import AlcedoSQLite
import AlcedoSupport
import Dispatch
import FoundationEssentials
import Glibc
import Raster

/// The index of the disk tier: one SQLite file that several processes share.
///
/// A content file is deleted in a transaction of its own, after the transaction that removed its last row. The lock of
/// the later transaction keeps other processes from using the file in the meantime.
package final class DiskIndex: Sendable {
    let pool: DatabasePool
    private let slowReads = DispatchQueue(label: "alcedo.cache.slow-reads")
    let commits: GroupCommit
    let isReadOnly: Bool
    let contents: ContentTable
    /// The number of readers that search the table together.
    static let parallelReads = min(8, ProcessInfo.processInfo.activeProcessorCount)

    /// Opens the index, and creates it if it is missing and not read-only.
    ///
    /// - Parameter busyTimeout: The maximum wait for another process, in seconds; 5 by default.
    /// - Throws: The error from SQLite, or from `DiskIndexSchema.prepare(_:)`.
    init(path: String, blobs: BlobStore, isReadOnly: Bool = false, busyTimeout: TimeInterval = 5) throws {
        contents = ContentTable(blobs: blobs)
        self.isReadOnly = isReadOnly
        pool = try Self.pool(
            isReadOnly ? Self.nameForReading(path) : path, isReadOnly: isReadOnly, busyTimeout: .seconds(busyTimeout))
        try DiskIndexSchema.prepare(pool, isReadOnly: isReadOnly)
        // A write may wait longer than the opening of the index.
        try pool.write { $0.setBusyTimeout(.seconds(5)) }
        commits = GroupCommit(pool: pool, contents: contents)
    }

    private static func prepare(_ database: Database) throws {
        CacheFilter.addFunctions(to: database)
        // Sweeps return free pages to the file system; this must be set before the first page exists.
        if try !database.isReadOnly && database.value("PRAGMA page_count") == 0 {
            try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
        }
        // The journal of a group's savepoints stays in memory; in a file it would take two writes a page. 4,096 pages
        // are 16 MiB. A checkpoint synchronises the index with the disk and delays stores.
        try database.execute(
            "PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 4096")
    }

    /// Opens the file, and retries until the busy time-out has passed.
    ///
    /// If two processes create the file at the same time, SQLite fails in one at once instead of waiting.
    private static func pool(
        _ path: String, isReadOnly: Bool, busyTimeout: Duration
    ) throws -> DatabasePool {
        let deadline = ContinuousClock.now + busyTimeout
        while true {
            do {
                return try DatabasePool(
                    path: path, isReadOnly: isReadOnly, readers: 4 + parallelReads, busyTimeout: busyTimeout,
                    prepare: prepare)
            } catch let error as SQLiteError where error.code == .busy && ContinuousClock.now < deadline {
                usleep(20_000)
            }
        }
    }

    /// Returns the name for opening the file read-only.
    ///
    /// A file of shared memory stands beside it while others have it open, and after a crash. It is only read, as the
    /// file system may not be writable. Without it, the file is complete and immutable.
    private static func nameForReading(_ path: String) -> String {
        let isShared = RegularFile.exists(path + "-shm")
        return URL(filePath: path).absoluteString + (isShared ? "?readonly_shm=1" : "?immutable=1")
    }

    func entry(for key: CacheEntryKey) throws -> CacheEntry? {
        let name = CacheEntryName(key)
        return try read { try CacheEntry.one(named: name, in: $0) }
    }

    /// Returns the entries of some keys, in order, in one read; a row that cannot be decoded counts as missing.
    func entries(for keys: [CacheEntryKey]) throws -> [CacheEntry?] {
        let names = keys.map(CacheEntryName.init)
        return try pool.read { database in
            try names.map { name -> CacheEntry? in
                do { return try CacheEntry.one(named: name, in: database) } catch let error as SQLiteError
                    where error.code == .mismatch
                { return nil }
            }
        }
    }

    func entry(_ id: Int64) throws -> CacheEntry? { try read { try CacheEntry.one(id, in: $0) } }

    /// Runs one read on the calling thread; a change of threads would take longer than the statement.
    func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws -> Value {
        try pool.read(inSnapshot: false, body)
    }

    /// Runs a read that may take long on a queue; such reads run one after the other.
    func runQuery<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await runSlowRead { [pool] in try pool.read(body) }
    }

    /// Runs a function that reads with readers of the pool, on the queue of `runQuery(_:)`.
    func runSlowRead<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            slowReads.async { continuation.resume(with: Result(catching: body)) }
        }
    }

    /// The result of an insertion.
    struct Insertion: Sendable {
        /// The keys of the replaced entry and of the entries that were removed because they were derived from it.
        var replaced: [CacheEntryKey] = []
        /// The disk usage of all contents, with the new one, in bytes, in whole blocks.
        var totalSpace = 0
    }

    /// Inserts a row, or replaces the row with the same key and keeps its pin.
    ///
    /// Removes the entries that were derived from an original if the original's bytes have changed. It also removes
    /// them if the original was missing, as the bytes that they were made from are unknown.
    ///
    /// - Throws: `ContentTable.ContentGone` if the content file no longer exists.
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

    /// Replaces a row, and removes the entries that were derived from other bytes of the original.
    ///
    /// Those entries would otherwise be served forever.
    ///
    /// - Returns: The keys of the removed derived entries.
    private static func replace(
        with entry: CacheEntry, content: Int64, _ contents: ContentTable, in database: Database
    ) throws -> [CacheEntryKey] {
        let old = try database.firstRow(
            "DELETE FROM entry WHERE source = ? AND variant = ? RETURNING content, pinned",
            [entry.entryName.source, entry.entryName.variant]
        ) { row in
            (content: try? row.value(at: 0) as Int64, isPinned: (try? row.value(at: 1)) ?? false)
        }
        var entry = entry
        entry.isPinned = old?.isPinned ?? false
        guard try entry.insert(content: content, into: database) else {
            throw SQLiteError(.constraint)
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

    /// Records a use of some entries and renews their expiry as `extending` says; written with the next batch.
    func touch(_ entries: [CacheEntry], at now: Date, extending: ExpirationExtending) {
        let renewal = extending.renewal(from: now)
        let counts = [(CacheCounter.diskHits, entries.count), (.bytesSaved, entries.reduce(0) { $0 + $1.length })]
        let numbers = entries.map(\.id)
        commits.enqueue(counting: counts) { database in
            // Last use and expiry change together, so that a jump of the clock does not change the lifetime. A use
            // before the store means a wrong clock.
            let sql = """
                UPDATE entry SET accessed = max(?1, stored), expires = \(renewal.expires), hits = hits + 1
                WHERE id = ?2
                """
            for number in numbers {
                try database.run(sql, [now.timeIntervalSince1970, number] + renewal.values)
            }
        }
    }

    /// Restarts the lifetime of an entry that the server has confirmed.
    ///
    /// - Returns: Whether the row exists.
    func renew(
        _ entry: CacheEntry, at now: Date, expiration: StorageExpiration, etag: String?, lastModified: String?
    ) async throws -> Bool {
        try await commits.perform { database in
            let changes = try database.run(
                """
                UPDATE entry SET accessed = ?1, expires = ?2, life = ?3, hits = hits + 1,
                    etag = coalesce(?4, etag), lastModified = coalesce(?5, lastModified)
                WHERE id = ?6
                """,
                [
                    now.timeIntervalSince1970, expiration.date(from: now)?.timeIntervalSince1970, expiration.life,
                    etag, lastModified, entry.id,
                ])
            guard changes > 0 else { return false }
            try Self.count(.revalidated, by: 1, in: database)
            try Self.count(.bytesSaved, by: entry.length, in: database)
            return true
        }
    }

    func count(_ counter: CacheCounter, by amount: Int = 1) {
        commits.enqueue(counting: [(counter, amount)])
    }

    /// Waits until all earlier writes are committed.
    func flush() async throws { try await commits.perform { _ in } }

    static func count(_ counter: CacheCounter, by amount: Int, in database: Database) throws {
        try database.run(
            "INSERT INTO counter (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = value + ?2",
            [counter.rawValue, amount])
    }
}

extension ExpirationExtending {
    /// The SQL expression for the expiry of a life that restarts at ?1.
    static let expiryAnew = expiry(from: "?1")

    /// Returns the SQL expression for the expiry of a life that restarts at a time; `StorageExpiration.life` says how
    /// `life` is to be read.
    private static func expiry(from start: String) -> String {
        "CASE WHEN life >= 0 THEN \(start) + life WHEN life < -1 THEN -life END"
    }

    /// Returns the SQL expression for the new expiry after a use at the time ?1, or at the store if that is later.
    fileprivate func renewal(from now: Date) -> (expires: String, values: SQLiteValues) {
        switch self {
        case .none: ("expires", [])
        case .cacheTime: (Self.expiry(from: "max(?1, stored)"), [])
        case .expirationTime(let expiration): ("?3", [expiration.date(from: now)?.timeIntervalSince1970])
        }
    }
}
