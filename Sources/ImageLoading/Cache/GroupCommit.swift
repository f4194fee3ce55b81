import GRDB

/// Puts writes that come while another write runs into one transaction, so that a burst costs few commits.
///
/// Nothing waits for company: a lone write is committed at once.
actor GroupCommit {
    /// Answers the keys of the rows it removed.
    typealias Operation = @Sendable (Database) throws -> [CacheEntryKey]

    private struct Waiting {
        let operation: Operation
        var isDurable = false
        let continuation: CheckedContinuation<[CacheEntryKey], any Error>?
    }

    private let pool: DatabasePool
    private var waiting: [Waiting] = []
    private var isWriting = false

    init(pool: DatabasePool) { self.pool = pool }

    /// Runs an operation within the next transaction and answers its result once that is committed; a durable one's
    /// transaction is on the disk itself then.
    @discardableResult
    func perform(isDurable: Bool = false, _ operation: @escaping Operation) async throws -> [CacheEntryKey] {
        try await withCheckedThrowingContinuation { continuation in
            add(Waiting(operation: operation, isDurable: isDurable, continuation: continuation))
        }
    }

    /// Adds an operation to the next transaction without waiting; its failure is not reported.
    func enqueue(_ operation: @escaping @Sendable (Database) throws -> Void) {
        let answering: Operation = { database in
            try operation(database)
            return []
        }
        add(Waiting(operation: answering, continuation: nil))
    }

    private func add(_ item: Waiting) {
        waiting.append(item)
        guard !isWriting else { return }
        isWriting = true
        Task { await drain() }
    }

    private func drain() async {
        while !waiting.isEmpty {
            let batch = waiting
            waiting = []
            await commit(batch)
        }
        isWriting = false
    }

    /// One failing operation undoes itself only; a failing commit fails all of the batch.
    private func commit(_ batch: [Waiting]) async {
        let operations = batch.map(\.operation)
        let isDurable = batch.contains { $0.isDurable }
        do {
            let results = try await pool.writeWithoutTransaction { database in
                // In WAL mode NORMAL leaves a commit to the system's own time; FULL synchronises it.
                if isDurable { try database.execute(sql: "PRAGMA synchronous = FULL") }
                defer { if isDurable { try? database.execute(sql: "PRAGMA synchronous = NORMAL") } }
                return try Self.transaction(of: operations, in: database)
            }
            for (item, result) in zip(batch, results) { item.continuation?.resume(with: result) }
        } catch {
            for item in batch { item.continuation?.resume(throwing: error) }
        }
    }

    private static func transaction(
        of operations: [Operation], in database: Database
    ) throws -> [Result<[CacheEntryKey], any Error>] {
        var results: [Result<[CacheEntryKey], any Error>] = []
        try database.inTransaction(.immediate) {
            results = try operations.map { try outcome(of: $0, in: database) }
            return .commit
        }
        return results
    }

    /// Some failures (a full disk, a damaged page) end the whole transaction; then nothing of the batch stands.
    private static func outcome(
        of operation: Operation, in database: Database
    ) throws -> Result<[CacheEntryKey], any Error> {
        var removed: [CacheEntryKey] = []
        do {
            try database.inSavepoint {
                removed = try operation(database)
                return .commit
            }
            return .success(removed)
        } catch {
            guard database.isInsideTransaction else { throw error }
            return .failure(error)
        }
    }
}
