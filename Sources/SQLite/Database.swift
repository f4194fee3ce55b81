import AlcedoCSQLite

/// A connection to a database, which one thread may use at a time.
///
/// It prepares a statement once and keeps it. No value is ever part of the text of a statement: values are parameters.
package final class Database {
    /// A function for SQL; its arguments are nil unless they are texts.
    package typealias Function = ([String?]) -> SQLiteValue

    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]
    /// The number of statements after which all are dropped.
    private static let limit = 64

    /// Opens a file; creates it unless the connection is read-only.
    ///
    /// - Parameters:
    ///   - path: A path, or a URL with parameters of SQLite (`file:…?immutable=1`).
    ///   - busyTimeout: The maximum wait for a lock of another connection.
    package init(path: String, isReadOnly: Bool = false, busyTimeout: Duration = .zero) throws(SQLiteError) {
        let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close(handle) }
            throw SQLiteError(of: handle, code, sql: nil)
        }
        self.handle = handle
        setBusyTimeout(busyTimeout)
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(handle)
    }

    package func setBusyTimeout(_ time: Duration) { sqlite3_busy_timeout(handle, Int32(time / .milliseconds(1))) }

    package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Runs any number of statements without parameters.
    package func execute(_ script: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(of: handle, code, sql: script) }
    }

    /// Runs a statement until it has no more rows.
    ///
    /// - Returns: The number of rows that an insertion, update or deletion changed, without those of its triggers.
    @discardableResult
    package func run(_ sql: String, _ values: SQLiteValues = []) throws(SQLiteError) -> Int {
        let statement = try started(sql, values)
        defer { statement.reset() }
        while try statement.step() {}
        return Int(sqlite3_changes64(handle))
    }

    /// Calls a closure with each row until it returns false.
    package func forEachRow(
        _ sql: String, _ values: SQLiteValues = [], _ body: (borrowing Row) throws -> Bool
    ) throws {
        let statement = try started(sql, values)
        defer { statement.reset() }
        while try statement.step(), try body(Row(statement: statement)) {}
    }

    /// Returns what a closure makes of each row, without nil.
    package func rows<Value>(
        _ sql: String, _ values: SQLiteValues = [], _ read: (borrowing Row) throws -> Value?
    ) throws -> [Value] {
        var all: [Value] = []
        try forEachRow(sql, values) { row in
            if let value = try read(row) { all.append(value) }
            return true
        }
        return all
    }

    /// Returns what a closure makes of the first row; nil if there is none.
    package func firstRow<Value>(
        _ sql: String, _ values: SQLiteValues = [], _ read: (borrowing Row) throws -> Value
    ) throws -> Value? {
        let statement = try started(sql, values)
        defer { statement.reset() }
        return try statement.step() ? read(Row(statement: statement)) : nil
    }

    /// Returns the first column of the first row; nil if there is no row, or for NULL.
    package func value<Value: SQLiteConvertible>(_ sql: String, _ values: SQLiteValues = []) throws -> Value? {
        try firstRow(sql, values) { row in try row.value(at: 0) as Value? } ?? nil
    }

    /// Returns the first column of all rows.
    package func values<Value: SQLiteConvertible>(_ sql: String, _ values: SQLiteValues = []) throws -> [Value] {
        try rows(sql, values) { row in try row.value(at: 0) as Value }
    }

    private func started(_ sql: String, _ values: SQLiteValues) throws(SQLiteError) -> Statement {
        let statement = try prepared(sql)
        try statement.bind(values)
        return statement
    }

    private func prepared(_ sql: String) throws(SQLiteError) -> Statement {
        // One that stands on a row is in use by a caller of this call.
        if let known = statements[sql], !known.isRunning { return known }
        let new = try Statement(sql, of: handle)
        if statements.count >= Self.limit { statements = [:] }
        statements[sql] = new
        return new
    }
}

extension Database {
    /// Runs a closure in a transaction that has the write lock from its beginning; an error rolls it back.
    package func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try run(body, between: "BEGIN IMMEDIATE", and: "COMMIT", undo: "ROLLBACK")
    }

    /// Runs reads that all see the same state of the database.
    package func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
        try run(body, between: "BEGIN", and: "COMMIT", undo: "ROLLBACK")
    }

    /// Runs a part of a transaction that an error rolls back alone; some errors, such as a full disk, end all of it.
    package func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
        try run(body, between: "SAVEPOINT part", and: "RELEASE part", undo: "ROLLBACK TO part; RELEASE part")
    }

    private func run<Value>(
        _ body: () throws -> Value, between start: String, and end: String, undo: String
    ) throws -> Value {
        try run(start)
        do {
            let value = try body()
            try run(end)
            return value
        } catch {
            // A part that cannot be undone must not be committed.
            if isInTransaction, (try? execute(undo)) == nil { try? execute("ROLLBACK") }
            throw error
        }
    }
}

extension Database {
    private final class Registration {
        let function: Function

        init(_ function: @escaping Function) { self.function = function }
    }

    /// Adds a function whose result depends on its arguments alone.
    package func add(function name: String, arguments count: Int32, _ function: @escaping Function) {
        let registration = Unmanaged.passRetained(Registration(function)).toOpaque()
        sqlite3_create_function_v2(
            handle, name, count, SQLITE_UTF8 | SQLITE_DETERMINISTIC, registration,
            { context, count, values in
                guard let data = sqlite3_user_data(context) else { return }
                let texts = UnsafeBufferPointer(start: values, count: Int(count)).map { value -> String? in
                    guard sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
                    // The count is that of the text that was asked for before it.
                    let start = sqlite3_value_text(value)
                    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
                    return String(decoding: bytes, as: UTF8.self)
                }
                switch Unmanaged<Registration>.fromOpaque(data).takeUnretainedValue().function(texts) {
                case .integer(let number): sqlite3_result_int64(context, number)
                case .real(let number): sqlite3_result_double(context, number)
                case .text(var text):
                    text.withUTF8 { alcedo_result_text(context, $0.baseAddress, UInt64($0.count)) }
                case .null, .blob: sqlite3_result_null(context)
                }
            }, nil, nil, { data in data.map { Unmanaged<Registration>.fromOpaque($0).release() } })
    }
}
