import GRDB

/// The values of a row by their places.
protocol ColumnValues {
    func stored(at index: Int) -> DatabaseValue
}

/// A row holds a value of another type than it should.
struct WrongColumnType: Error {}

extension ColumnValues {
    /// The value at a place; throws for one of another type, which SQLite would turn into something else without a word.
    func checked<Value: DatabaseValueConvertible>(at index: Int) throws -> Value {
        guard let value = Value.fromDatabaseValue(stored(at: index)) else { throw WrongColumnType() }
        return value
    }

    /// The same for what may be NULL.
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

/// A row of a statement where it stands, until the next step: GRDB's own begins with a table of the columns' names,
/// which takes longer than to read them all.
struct StandingRow: ColumnValues {
    let statement: SQLiteStatement

    func stored(at index: Int) -> DatabaseValue { DatabaseValue(sqliteStatement: statement, index: CInt(index)) }
}
