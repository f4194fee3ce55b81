import GRDB

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
struct StandingRow: ColumnValues {
    let statement: SQLiteStatement

    func stored(at index: Int) -> DatabaseValue { DatabaseValue(sqliteStatement: statement, index: CInt(index)) }
}
