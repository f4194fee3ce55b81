import AlcedoCSQLite
import FoundationEssentials

/// A prepared statement of one connection.
final class Statement {
    private let handle: OpaquePointer
    private let sql: String

    /// Prepares the first statement of a text for a connection.
    init(_ sql: String, of connection: OpaquePointer) throws(SQLiteError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else {
            throw SQLiteError(of: connection, code == SQLITE_OK ? SQLITE_MISUSE : code, sql: sql)
        }
        (self.handle, self.sql) = (handle, sql)
    }

    deinit { sqlite3_finalize(handle) }

    /// Whether the statement stands on a row.
    var isRunning: Bool { sqlite3_stmt_busy(handle) != 0 }

    /// Ends a run; a statement on a row would keep others from changing its table.
    func reset() { sqlite3_reset(handle) }

    /// Sets the parameters, all of them.
    func bind(_ values: SQLiteValues) throws(SQLiteError) {
        guard values.count == Int(sqlite3_bind_parameter_count(handle)) else {
            throw SQLiteError(.misuse, "wrong number of values", sql: sql)
        }
        for (index, value) in values.enumerated() {
            let code = bind(value.sqliteValue, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw error(code) }
        }
    }

    private func bind(_ value: SQLiteValue, at place: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, place)
        case .integer(let number): return sqlite3_bind_int64(handle, place, number)
        case .real(let number): return sqlite3_bind_double(handle, place, number)
        case .text(var text):
            return text.withUTF8 { alcedo_bind_text(handle, place, $0.baseAddress, UInt64($0.count)) }
        case .blob(let bytes):
            return bytes.withUnsafeBytes { alcedo_bind_blob(handle, place, $0.baseAddress, UInt64($0.count)) }
        }
    }

    /// Advances to the next row.
    ///
    /// - Returns: Whether there is one.
    func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        case let code: throw error(code)
        }
    }

    private func error(_ code: Int32) -> SQLiteError { SQLiteError(of: sqlite3_db_handle(handle), code, sql: sql) }

    /// Returns a value of the current row; nil for text that is not UTF-8.
    func column(_ index: Int32) -> SQLiteValue? {
        switch sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, index))
        case SQLITE_TEXT:
            // The count is that of the text that was asked for before it.
            let start = sqlite3_column_text(handle, index)
            let text = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
            return String(validating: text, as: UTF8.self).map(SQLiteValue.text)
        case SQLITE_BLOB:
            guard let start = sqlite3_column_blob(handle, index) else { return .blob(Data()) }
            return .blob(Data(bytes: start, count: Int(sqlite3_column_bytes(handle, index))))
        default: return .null
        }
    }
}

/// The current row of a statement, valid until the next step.
@usableFromInline package struct Row: ~Copyable {
    let statement: Statement

    @usableFromInline func column(_ index: Int) -> SQLiteValue? { statement.column(Int32(index)) }

    /// Returns the value of a column, counted from 0; throws `.mismatch` if it has another type.
    @inlinable package func value<Value: SQLiteConvertible>(at column: Int) throws(SQLiteError) -> Value {
        guard let stored = self.column(column), let value = Value.converted(stored) else { throw Self.mismatch }
        return value
    }

    @usableFromInline static var mismatch: SQLiteError { SQLiteError(.mismatch) }
}
