import GRDB

/// So many entries and bytes.
public struct CacheAmount: Sendable, Hashable {
    public var entries: Int
    /// Of their contents; whoever tells an amount says how one counts that several entries share.
    public var bytes: Int

    public init(entries: Int = 0, bytes: Int = 0) {
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
