import GRDB

/// A number of entries and bytes.
package struct CacheAmount: Sendable, Hashable {
    package var entries: Int
    /// The bytes of the contents; the function that returns the amount says how it counts shared contents.
    package var bytes: Int

    package init(entries: Int = 0, bytes: Int = 0) {
        self.entries = entries
        self.bytes = bytes
    }

    init(row: Row) throws {
        self.init(entries: try row.decode(forColumn: "entries"), bytes: try row.decode(forColumn: "bytes"))
    }

    static func + (first: CacheAmount, second: CacheAmount) -> CacheAmount {
        CacheAmount(entries: first.entries + second.entries, bytes: first.bytes + second.bytes)
    }
}
