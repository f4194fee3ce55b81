import AlcedoSQLite

extension Database {
    /// Opens an index that somebody who is about to close it may still hold.
    static func patient(at path: String) throws -> Database { try Database(path: path, busyTimeout: .seconds(10)) }
}
