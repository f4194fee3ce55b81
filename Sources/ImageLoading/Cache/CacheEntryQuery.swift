import Foundation
import GRDB

/// A window over the index: filter, order and range.
public struct CacheEntryQuery: Sendable, Hashable {
    /// What entries are ordered by: last use, bytes, time of the store, hits, host, time of expiry.
    public enum Order: String, Sendable, Hashable, CaseIterable {
        case access, size, age, hits, host, expiry
    }

    /// Which entries; all by default.
    public var filter: CacheFilter
    /// By last use, by default.
    public var order: Order
    /// Whether the smallest comes first; off by default.
    public var isAscending: Bool
    /// How many entries to pass over; 0 by default.
    public var offset: Int
    /// How many entries at most; 1,000 by default.
    public var limit: Int

    /// A window; negative offsets and limits are 0.
    public init(
        filter: CacheFilter = CacheFilter(), order: Order = .access, isAscending: Bool = false, offset: Int = 0,
        limit: Int = 1000
    ) {
        self.filter = filter
        self.order = order
        self.isAscending = isAscending
        self.offset = max(0, offset)
        self.limit = max(0, limit)
    }

    func clause(now: Date) -> (sql: String, arguments: StatementArguments) { filter.clause(now: now) }
}

extension CacheEntryQuery.Order {
    func sql(ascending: Bool) -> String {
        let column =
            switch self {
            case .access: "accessed"
            case .size: "length"
            case .age: "stored"
            case .hits: "hits"
            case .host: "host"
            case .expiry: "expires"
            }
        return "\(column) \(ascending ? "ASC" : "DESC"), id"
    }
}
