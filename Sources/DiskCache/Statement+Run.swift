import GRDB
import GRDBSQLite

extension Statement {
    /// The values of the statement's parameters, in order.
    typealias Values = [any StatementBinding & Sendable]

    /// Runs a statement until it has no more rows.
    ///
    /// GRDB's own binding converts each value three times, which takes as long as SQLite's work.
    func run(_ values: Values = []) throws {
        try bind(values)
        defer { sqlite3_reset(sqliteStatement) }
        while try step() {}
    }

    /// Returns the value that a closure reads from the first row; nil if there is none.
    func first<Value>(_ values: Values = [], _ read: (StatementRow) throws -> Value) throws -> Value? {
        try bind(values)
        // A statement that is not reset would block changes of the row it is on.
        defer { sqlite3_reset(sqliteStatement) }
        return try step() ? read(StatementRow(statement: sqliteStatement)) : nil
    }

    /// Returns the values that a closure reads from each row.
    func all<Value>(_ values: Values = [], _ read: (StatementRow) throws -> Value) throws -> [Value] {
        try bind(values)
        defer { sqlite3_reset(sqliteStatement) }
        var all: [Value] = []
        while try step() { all.append(try read(StatementRow(statement: sqliteStatement))) }
        return all
    }

    private func bind(_ values: Values) throws {
        guard values.count == Int(sqlite3_bind_parameter_count(sqliteStatement)) else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "wrong number of values", sql: sql)
        }
        // GRDB does not reset a finished statement, and such a statement accepts no values.
        sqlite3_reset(sqliteStatement)
        var place: CInt = 0
        for value in values {
            place += 1
            let code = value.bind(to: sqliteStatement, at: place)
            guard code == SQLITE_OK else { throw error(code) }
        }
    }

    /// Advances the statement.
    ///
    /// - Returns: Whether there is a row.
    private func step() throws -> Bool {
        switch sqlite3_step(sqliteStatement) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        case let code: throw error(code)
        }
    }

    private func error(_ code: CInt) -> DatabaseError {
        let message = sqlite3_errmsg(sqlite3_db_handle(sqliteStatement)).map { String(cString: $0) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
    }
}

/// The values of a row by index.
protocol ColumnValues {
    func stored(at index: Int) -> DatabaseValue
}

/// A row has a value of the wrong type.
struct WrongColumnType: Error {}

extension ColumnValues {
    /// Returns the value at an index; throws if it has another type, which SQLite would silently convert.
    func checked<Value: DatabaseValueConvertible>(at index: Int) throws -> Value {
        guard let value = Value.fromDatabaseValue(stored(at: index)) else { throw WrongColumnType() }
        return value
    }

    /// Returns the value at an index, or nil for NULL; throws if it has another type.
    func checkedIfPresent<Value: DatabaseValueConvertible>(at index: Int) throws -> Value? {
        let stored = stored(at: index)
        guard !stored.isNull else { return nil }
        guard let value = Value.fromDatabaseValue(stored) else { throw WrongColumnType() }
        return value
    }
}

extension Row: ColumnValues {
    func stored(at index: Int) -> DatabaseValue { self[index] }
}

/// The current row of a statement, valid until the next step.
///
/// GRDB's own row first builds a table of the column names, which takes longer than reading all values.
struct StatementRow: ColumnValues {
    let statement: SQLiteStatement

    func stored(at index: Int) -> DatabaseValue { DatabaseValue(sqliteStatement: statement, index: CInt(index)) }
}
