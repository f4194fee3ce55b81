import AlcedoSQLite
import Synchronization

/// A queue that combines concurrent writes into one transaction, so that a burst takes few commits.
///
/// A write that a caller waits for is committed at once. Writes without a waiting caller are committed with the next
/// one, or within 50 ms.
final class GroupCommit: Sendable {
    /// A write that returns the action to run after the commit; runs again if its transaction is rolled back.
    private typealias Operation = @Sendable (Database) throws -> @Sendable () -> Void

    private typealias Outcome = Result<@Sendable () -> Void, any Error>

    private struct Waiting: Sendable {
        let operation: Operation
        var isDurable = false
        var fail: @Sendable (any Error) -> Void = { _ in }
    }

    private struct State {
        var waiting: [Waiting] = []
        /// The amounts to add to the counters in the next transaction.
        var counts: [CacheCounter: Int] = [:]
        var isWriting = false
        var isTimed = false
    }

    private let pool: DatabasePool
    private let contents: ContentTable
    private let state = Mutex(State())
    /// The maximum delay of a write without a waiting caller, and the number of such writes that starts a commit.
    private static let delay = Duration.milliseconds(50)
    private static let limit = 256

    init(pool: DatabasePool, contents: ContentTable) {
        self.pool = pool
        self.contents = contents
    }

    /// Runs an operation in the next transaction, and returns its result after the commit.
    ///
    /// If another operation of the transaction fails, this one is rolled back and runs again.
    ///
    /// - Parameter isDurable: Whether the transaction is synchronised with the disk; false by default.
    @discardableResult
    func perform<Value: Sendable>(
        isDurable: Bool = false, _ operation: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let item = Waiting(
                operation: { database in
                    let value = try operation(database)
                    return { continuation.resume(returning: value) }
                }, isDurable: isDurable, fail: { continuation.resume(throwing: $0) })
            state.withLock { state in
                state.waiting.append(item)
                start(&state)
            }
        }
    }

    /// Adds an operation to the next transaction, and amounts to the counters, without waiting; errors are not
    /// reported.
    func enqueue(
        counting amounts: [(counter: CacheCounter, amount: Int)] = [],
        _ operation: (@Sendable (Database) throws -> Void)? = nil
    ) {
        state.withLock { state in
            for (counter, amount) in amounts { state.counts[counter, default: 0] += amount }
            if let operation {
                state.waiting.append(
                    Waiting(
                        operation: { database in
                            try operation(database)
                            return {}
                        }))
            }
            if state.waiting.count >= Self.limit { start(&state) } else { startLater(&state) }
        }
    }

    private func start(_ state: inout State) {
        guard !state.isWriting else { return }
        state.isWriting = true
        Task { await drain() }
    }

    private func startLater(_ state: inout State) {
        guard !state.isWriting, !state.isTimed else { return }
        state.isTimed = true
        Task {
            try? await Task.sleep(for: Self.delay)
            self.state.withLock { state in
                state.isTimed = false
                start(&state)
            }
        }
    }

    private func drain() async {
        while goesOn() {
            // Concurrent callers can join this transaction; a lone write loses a microsecond.
            await Task.yield()
            await commit(dequeueAll())
        }
    }

    /// Returns whether there is more to write; if not, the writer is marked as stopped.
    private func goesOn() -> Bool {
        state.withLock { state in
            state.isWriting = !state.waiting.isEmpty || !state.counts.isEmpty
            return state.isWriting
        }
    }

    private func dequeueAll() -> [Waiting] {
        state.withLock { state in
            var batch = state.waiting
            if !state.counts.isEmpty { batch.append(Self.counting(state.counts)) }
            (state.waiting, state.counts) = ([], [:])
            return batch
        }
    }

    private static func counting(_ counts: [CacheCounter: Int]) -> Waiting {
        Waiting { database in
            for (counter, amount) in counts { try DiskIndex.count(counter, by: amount, in: database) }
            return {}
        }
    }

    /// Commits a batch; a failed operation is rolled back alone, a failed commit fails the whole batch.
    private func commit(_ batch: [Waiting]) async {
        let isDurable = batch.contains { $0.isDurable }
        do {
            let results = try await pool.write { [contents] database in
                // In WAL mode, NORMAL lets the system write a commit later; FULL synchronises it.
                if isDurable { try database.execute("PRAGMA synchronous = FULL") }
                defer { if isDurable { try? database.execute("PRAGMA synchronous = NORMAL") } }
                return try Self.transaction(of: batch, contents.pendingDeletions, in: database)
            }
            await deleteUnusedFiles()
            for (item, result) in zip(batch, results) {
                switch result {
                case .success(let resume): resume()
                case .failure(let error): item.fail(error)
                }
            }
        } catch {
            contents.pendingDeletions.truncate(to: 0)
            for item in batch { item.fail(error) }
        }
    }

    /// Deletes the files that no row names any more; a sweep deletes those that cannot be deleted now.
    ///
    /// The transaction's lock keeps other processes from using such a file meanwhile.
    private func deleteUnusedFiles() async {
        let files = contents.pendingDeletions.removeAll()
        guard !files.isEmpty else { return }
        try? await pool.write { [contents] database in
            try database.transaction { try contents.releaseUnused(files, in: database) }
        }
    }

    /// Runs all operations of a batch in one transaction.
    ///
    /// If one of several fails, the batch runs again with a savepoint for each operation.
    private static func transaction(
        of batch: [Waiting], _ pending: PendingDeletions, in database: Database
    ) throws -> [Outcome] {
        var isOfAnItem = false
        do {
            return try database.transaction {
                try batch.map { item in
                    isOfAnItem = true
                    let resume = try item.operation(database)
                    isOfAnItem = false
                    return .success(resume)
                }
            }
        } catch {
            guard isOfAnItem, batch.count > 1 else { throw error }
            pending.truncate(to: 0)
            return try database.transaction { try batch.map { try outcome(of: $0, pending, in: database) } }
        }
    }

    /// Runs one operation in a savepoint.
    ///
    /// Some errors, such as a full disk or a damaged page, end the whole transaction; they are thrown and fail the
    /// batch.
    private static func outcome(of item: Waiting, _ pending: PendingDeletions, in database: Database) throws -> Outcome
    {
        let pendingBefore = pending.count
        do {
            return .success(try database.savepoint { try item.operation(database) })
        } catch {
            guard database.isInTransaction else { throw error }
            pending.truncate(to: pendingBefore)
            return .failure(error)
        }
    }
}
