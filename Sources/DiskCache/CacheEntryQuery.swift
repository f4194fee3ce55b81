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

    /// The rows of the window.
    ///
    /// By last use and by expiry it follows the index: two walks, over what is pinned and what is not, are merged.
    func statement(now: Date) -> (sql: String, arguments: StatementArguments) {
        statement(selecting: "\(CacheEntry.columns) FROM \(CacheEntry.tables)", now: now)
    }

    /// The identifiers of the window.
    func identifiers(now: Date) -> (sql: String, arguments: StatementArguments) {
        statement(selecting: "id, \(order.column) FROM entry", now: now)
    }

    /// How many entries the query has before one of them; no row where that is none of its own.
    func place(of id: Int64, now: Date) -> (sql: String, arguments: StatementArguments) {
        let clause = filter.clause(now: now)
        let joint = clause.sql.isEmpty ? "WHERE" : "\(clause.sql) AND"
        let sql = """
            SELECT (SELECT count(*) FROM entry \(joint)
                (\(order.comparable), id) \(isAscending ? "<" : ">")
                    (SELECT \(order.comparable), id FROM entry WHERE id = ?))
            FROM entry \(joint) id = ?
            """
        return (sql, clause.arguments + [id] + clause.arguments + [id])
    }

    private func statement(selecting columns: String, now: Date) -> (sql: String, arguments: StatementArguments) {
        let clause = filter.clause(now: now)
        let select = "SELECT \(columns)"
        let end = "ORDER BY \(order.sql(ascending: isAscending)) LIMIT ? OFFSET ?"
        guard order == .access || order == .expiry else {
            return ("\(select) \(clause.sql) \(end)", clause.arguments + [limit, offset])
        }
        let joint = clause.sql.isEmpty ? "WHERE" : "\(clause.sql) AND"
        return (
            "\(select) \(joint) pinned = 0 UNION ALL \(select) \(joint) pinned = 1 \(end)",
            clause.arguments + clause.arguments + [limit, offset]
        )
    }
}

extension CacheEntryQuery.Order {
    fileprivate var column: String {
        switch self {
        case .access: "accessed"
        case .size: "length"
        case .age: "stored"
        case .hits: "hits"
        case .host: "host"
        case .expiry: "expires"
        }
    }

    /// The same as a number or text in every row: what never expires comes before all.
    fileprivate var comparable: String { self == .expiry ? "coalesce(expires, -9e999)" : column }

    fileprivate func sql(ascending: Bool) -> String {
        let direction = ascending ? "ASC" : "DESC"
        return "\(column) \(direction), id \(direction)"
    }
}
