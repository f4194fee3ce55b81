import Foundation
import GRDB
import GRDBSQLite

/// What a question mark of a statement may stand for.
protocol StatementValue: Sendable {
    /// Puts it at a place, counted from 1; answers SQLite's code.
    func bind(to statement: SQLiteStatement, at place: CInt) -> CInt
}

extension Int64: StatementValue {
    func bind(to statement: SQLiteStatement, at place: CInt) -> CInt { sqlite3_bind_int64(statement, place, self) }
}

extension Int: StatementValue {
    func bind(to statement: SQLiteStatement, at place: CInt) -> CInt { Int64(self).bind(to: statement, at: place) }
}

extension Bool: StatementValue {
    func bind(to statement: SQLiteStatement, at place: CInt) -> CInt { (self ? 1 : 0).bind(to: statement, at: place) }
}

extension Double: StatementValue {
    func bind(to statement: SQLiteStatement, at place: CInt) -> CInt { sqlite3_bind_double(statement, place, self) }
}

extension String: StatementValue {
    func bind(to statement: SQLiteStatement, at place: CInt) -> CInt {
        // An empty buffer may be nowhere, and what is nowhere is NULL to SQLite.
        guard !isEmpty else { return sqlite3_bind_text(statement, place, "", 0, copied) }
        var text = self
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(statement, place, $0.baseAddress, CInt($0.count), copied)
            }
        }
    }
}

extension Data: StatementValue {
    func bind(to statement: SQLiteStatement, at place: CInt) -> CInt {
        withUnsafeBytes { bytes in
            bytes.isEmpty
                ? sqlite3_bind_zeroblob(statement, place, 0)
                : sqlite3_bind_blob(statement, place, bytes.baseAddress, CInt(bytes.count), copied)
        }
    }
}

extension Optional: StatementValue where Wrapped: StatementValue {
    func bind(to statement: SQLiteStatement, at place: CInt) -> CInt {
        self?.bind(to: statement, at: place) ?? sqlite3_bind_null(statement, place)
    }
}

/// SQLite's word for bytes that it must copy, since they end with the call.
private var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

extension Statement {
    /// Runs a statement to its end.
    ///
    /// GRDB turns each value into three others on its way to SQLite, which takes as long as SQLite's own work does.
    func run(_ values: [any StatementValue] = []) throws {
        try bind(values)
        defer { sqlite3_reset(sqliteStatement) }
        while try step() {}
    }

    /// The first row, read where it stands; nil when there is none.
    func first<Value>(
        _ values: [any StatementValue] = [], _ read: (StandingRow) throws -> Value
    ) throws -> Value? {
        try bind(values)
        defer { sqlite3_reset(sqliteStatement) }
        return try step() ? read(StandingRow(statement: sqliteStatement)) : nil
    }

    /// What is made of each row where it stands; read to the end.
    func all<Value>(
        _ values: [any StatementValue] = [], _ read: (StandingRow) throws -> Value
    ) throws -> [Value] {
        try bind(values)
        defer { sqlite3_reset(sqliteStatement) }
        var all: [Value] = []
        while try step() { all.append(try read(StandingRow(statement: sqliteStatement))) }
        return all
    }

    private func bind(_ values: [any StatementValue]) throws {
        guard values.count == Int(sqlite3_bind_parameter_count(sqliteStatement)) else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "wrong number of values", sql: sql)
        }
        // GRDB leaves a statement where it ended, and such a one takes no values.
        sqlite3_reset(sqliteStatement)
        var place: CInt = 0
        for value in values {
            place += 1
            let code = value.bind(to: sqliteStatement, at: place)
            guard code == SQLITE_OK else { throw error(code) }
        }
    }

    /// Whether there is a row.
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
