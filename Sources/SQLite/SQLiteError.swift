import AlcedoCSQLite

/// An error of SQLite, or of a value whose type is not the expected one.
///
/// It has no values of parameters and rows, which may be secret.
@usableFromInline package struct SQLiteError: Error, Sendable, Hashable {
    /// The primary result codes that callers tell apart, numbered as in sqlite3.h.
    package enum Code: Int32, Sendable {
        case other = 0
        case error, busy = 5, locked, readOnly = 8, inputOutput = 10, corrupt, full = 13, cannotOpen, constraint = 19
        /// A value of the wrong type.
        case mismatch
        case misuse, notADatabase = 26
    }

    /// The result code of SQLite; its lowest 8 bits are the primary one.
    package let extendedCode: Int32
    package let message: String
    /// The statement; nil outside of statements.
    package let sql: String?

    package var code: Code { Code(rawValue: extendedCode & 0xFF) ?? .other }

    /// Whether the file system is full; then SQLite also reports that its shared memory cannot grow (SHMSIZE).
    package var isFull: Bool { code == .full || extendedCode == SQLITE_IOERR | 19 << 8 }

    package init(_ code: Code, _ message: String? = nil, sql: String? = nil) {
        extendedCode = code.rawValue
        self.message = message ?? String(cString: sqlite3_errstr(code.rawValue))
        self.sql = sql
    }

    /// Creates the error of the last call on a connection.
    init(of connection: OpaquePointer?, _ code: Int32, sql: String?) {
        extendedCode = code
        message = String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
        self.sql = sql
    }
}
