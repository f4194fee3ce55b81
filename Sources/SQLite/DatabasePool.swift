import Dispatch
import Synchronization

/// The connections to a database file in WAL mode: one that writes, and some that read at the same time.
///
/// A read sees the database as it was at its beginning. The last connection that closes writes the log into the file.
package final class DatabasePool: Sendable {
    private final class Reader: Sendable {
        let database: Mutex<Database>

        init(_ database: sending Database) { self.database = Mutex(database) }
    }

    private let writer: Mutex<Database>
    /// Writes wait for other processes here, not on the threads of tasks.
    private let writes = DispatchQueue(label: "alcedo.sqlite.writes")
    private let idle = Mutex<[Reader]>([])
    private let permits: DispatchSemaphore
    private let openReader: @Sendable () throws -> Reader

    /// Opens the file with one connection, and turns WAL mode on unless the pool is read-only.
    ///
    /// - Parameters:
    ///   - readers: The maximum number of reading connections, which are opened when they are needed.
    ///   - busyTimeout: The maximum wait of the writer for a lock.
    ///   - prepare: Prepares each new connection.
    package init(
        path: String, isReadOnly: Bool = false, readers: Int, busyTimeout: Duration,
        prepare: @escaping @Sendable (Database) throws -> Void
    ) throws {
        let database = try Database(path: path, isReadOnly: isReadOnly, busyTimeout: busyTimeout)
        try prepare(database)
        if !isReadOnly, try database.value("PRAGMA journal_mode = WAL") != "wal" {
            throw SQLiteError(.cannotOpen, "no WAL mode")
        }
        writer = Mutex(database)
        permits = DispatchSemaphore(value: readers)
        openReader = {
            // A reader waits only for a process that recovers the log, or that closes the file as the last one.
            let database = try Database(path: path, isReadOnly: true, busyTimeout: .seconds(10))
            try prepare(database)
            return Reader(database)
        }
    }

    // The writer closes last: a reader could not write the log into the file.
    deinit { idle.withLock { $0 = [] } }

    /// Runs reads with a connection that nobody else uses meanwhile; waits for one if all are in use.
    ///
    /// - Parameter inSnapshot: Whether all statements see the same state; one alone needs no snapshot.
    package func read<Value: Sendable>(
        inSnapshot: Bool = true, _ body: @Sendable (Database) throws -> Value
    ) throws -> Value {
        permits.wait()
        defer { permits.signal() }
        let reader = try idle.withLock { $0.popLast() } ?? openReader()
        defer { idle.withLock { $0.append(reader) } }
        return try reader.database.withLock { database in
            try inSnapshot ? database.snapshot { try body(database) } : body(database)
        }
    }

    /// Runs writes on the calling thread, without a transaction around them.
    package func write<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws -> Value {
        try writer.withLock { try body($0) }
    }

    /// Runs writes on the pool's queue, without a transaction around them.
    package func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            writes.async { continuation.resume(with: Result { try self.write(body) }) }
        }
    }
}
