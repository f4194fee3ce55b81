import GRDB
import GRDBSQLite

extension Statement {
    /// What the question marks stand for, in their order.
    typealias Values = [any StatementBinding & Sendable]

    /// Runs a statement to its end.
    ///
    /// GRDB's own way turns each value into three others before it comes to SQLite, which takes as long as SQLite's work.
    func run(_ values: Values = []) throws {
        try bind(values)
        defer { sqlite3_reset(sqliteStatement) }
        while try step() {}
    }

    /// The first row, read where it stands; nil when there is none.
    func first<Value>(_ values: Values = [], _ read: (StandingRow) throws -> Value) throws -> Value? {
        try bind(values)
        // One that stands on its row would keep what it reads from being changed.
        defer { sqlite3_reset(sqliteStatement) }
        return try step() ? read(StandingRow(statement: sqliteStatement)) : nil
    }

    /// What is made of each row where it stands; read to the end.
    func all<Value>(_ values: Values = [], _ read: (StandingRow) throws -> Value) throws -> [Value] {
        try bind(values)
        defer { sqlite3_reset(sqliteStatement) }
        var all: [Value] = []
        while try step() { all.append(try read(StandingRow(statement: sqliteStatement))) }
        return all
    }

    private func bind(_ values: Values) throws {
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
