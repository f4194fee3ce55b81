import GRDB

/// Puts writes that come while another write runs into one transaction, so that a burst costs few commits.
///
/// Nothing waits for company: a lone write is committed at once.
actor GroupCommit {
    /// Answers how many rows it removed.
    typealias Operation = @Sendable (Database) throws -> Int

    private struct Waiting {
        let operation: Operation
        let continuation: CheckedContinuation<Int, any Error>?
    }

    private let pool: DatabasePool
    private var waiting: [Waiting] = []
    private var isWriting = false

    init(pool: DatabasePool) { self.pool = pool }

    /// Runs an operation within the next transaction and answers its result once that is committed.
    @discardableResult
    func perform(_ operation: @escaping Operation) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            add(Waiting(operation: operation, continuation: continuation))
        }
    }

    /// Adds an operation to the next transaction without waiting; its failure is not reported.
    func enqueue(_ operation: @escaping @Sendable (Database) throws -> Void) {
        let counted: Operation = { database in
            try operation(database)
            return 0
        }
        add(Waiting(operation: counted, continuation: nil))
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
        do {
            let results = try await pool.write { database in
                try operations.map { try Self.outcome(of: $0, in: database) }
            }
            for (item, result) in zip(batch, results) { item.continuation?.resume(with: result) }
        } catch {
            for item in batch { item.continuation?.resume(throwing: error) }
        }
    }

    /// Some failures (a full disk, a damaged page) end the whole transaction; then nothing of the batch stands.
    private static func outcome(of operation: Operation, in database: Database) throws -> Result<Int, any Error> {
        var removed = 0
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
