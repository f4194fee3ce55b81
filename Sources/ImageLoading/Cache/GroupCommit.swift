import GRDB

/// Puts writes that come while another write runs into one transaction, so that a burst costs few commits.
///
/// Nothing waits for company: a lone write is committed at once.
actor GroupCommit {
    typealias Operation = @Sendable (Database) throws -> [String]

    private struct Waiting {
        let operation: Operation
        let continuation: CheckedContinuation<[String], any Error>?
    }

    private let pool: DatabasePool
    private var waiting: [Waiting] = []
    private var isWriting = false

    init(pool: DatabasePool) { self.pool = pool }

    /// Runs an operation within the next transaction and answers its result once that is committed.
    @discardableResult
    func perform(_ operation: @escaping Operation) async throws -> [String] {
        try await withCheckedThrowingContinuation { continuation in
            add(Waiting(operation: operation, continuation: continuation))
        }
    }

    /// Adds an operation to the next transaction without waiting; its failure is not reported.
    func enqueue(_ operation: @escaping @Sendable (Database) throws -> Void) {
        add(Waiting(operation: { try operation($0); return [] }, continuation: nil))
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
                try operations.map { operation in
                    var outcome: Result<[String], any Error> = .success([])
                    do {
                        try database.inSavepoint {
                            outcome = .success(try operation(database))
                            return .commit
                        }
                    } catch {
                        if (error as? DatabaseError)?.resultCode == .SQLITE_FULL { throw error }
                        outcome = .failure(error)
                    }
                    return outcome
                }
            }
            for (item, result) in zip(batch, results) { item.continuation?.resume(with: result) }
        } catch {
            for item in batch { item.continuation?.resume(throwing: error) }
        }
    }
}
