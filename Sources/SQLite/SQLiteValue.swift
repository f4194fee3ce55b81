import FoundationEssentials

/// A value as SQLite stores it.
@usableFromInline package enum SQLiteValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
}

/// A type whose values are parameters and columns.
@usableFromInline package protocol SQLiteConvertible: Sendable {
    var sqliteValue: SQLiteValue { get }

    /// Returns the value of a column; nil if the column has another type, which SQLite would silently convert.
    static func converted(_ column: SQLiteValue) -> Self?
}

package typealias SQLiteValues = [any SQLiteConvertible]

extension SQLiteConvertible where Self: FixedWidthInteger {
    @inlinable package var sqliteValue: SQLiteValue { .integer(Int64(self)) }
    @inlinable package static func converted(_ column: SQLiteValue) -> Self? {
        if case .integer(let number) = column { Self(exactly: number) } else { nil }
    }
}

extension Int: SQLiteConvertible {}

extension Int64: SQLiteConvertible {}

extension Bool: SQLiteConvertible {
    @inlinable package var sqliteValue: SQLiteValue { .integer(self ? 1 : 0) }
    @inlinable package static func converted(_ column: SQLiteValue) -> Bool? { Int64.converted(column).map { $0 != 0 } }
}

extension Double: SQLiteConvertible {
    @inlinable package var sqliteValue: SQLiteValue { .real(self) }
    @inlinable package static func converted(_ column: SQLiteValue) -> Double? {
        if case .real(let number) = column { number } else { Int64.converted(column).map(Double.init) }
    }
}

extension String: SQLiteConvertible {
    @inlinable package var sqliteValue: SQLiteValue { .text(self) }
    @inlinable package static func converted(_ column: SQLiteValue) -> String? {
        if case .text(let text) = column { text } else { nil }
    }
}

extension Data: SQLiteConvertible {
    @inlinable package var sqliteValue: SQLiteValue { .blob(self) }
    @inlinable package static func converted(_ column: SQLiteValue) -> Data? {
        if case .blob(let bytes) = column { bytes } else { nil }
    }
}

/// nil is NULL.
extension Optional: SQLiteConvertible where Wrapped: SQLiteConvertible {
    @inlinable package var sqliteValue: SQLiteValue { self?.sqliteValue ?? .null }
    @inlinable package static func converted(_ column: SQLiteValue) -> Self? {
        if case .null = column { .some(nil) } else { Wrapped.converted(column).map(Optional.some) }
    }
}
