import Foundation
import GRDB

/// A window over the index: filter, order and range.
public struct CacheEntryQuery: Sendable, Hashable {
    public enum Order: String, Sendable, Hashable, CaseIterable {
        case access, size, age, hits, host, expiry
    }

    public var filter: CacheFilter
    public var order: Order
    public var isAscending: Bool
    public var offset: Int
    public var limit: Int

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
