import AlcedoSQLite
import FoundationEssentials
import Raster

/// A window of the index, given by a filter, an order and a range.
package struct CacheEntryQuery: Sendable, Hashable {
    /// The filter; all entries by default.
    package var filter: CacheFilter
    /// The order; by last use by default.
    package var order: CacheOrder
    /// Whether the smallest value comes first; false by default.
    package var isAscending: Bool
    /// The number of entries to skip; 0 by default.
    package var offset: Int
    /// The maximum number of entries; 1,000 by default.
    package var limit: Int
    /// A JSON array of identifiers that includes every entry the filter selects; nil if they are too many or unknown.
    var candidates: String?

    /// Creates a window; negative offsets and limits count as 0.
    package init(
        filter: CacheFilter = CacheFilter(), order: CacheOrder = .access, isAscending: Bool = false, offset: Int = 0,
        limit: Int = 1000
    ) {
        (self.filter, self.order, self.isAscending) = (filter, order, isAscending)
        self.offset = max(0, offset)
        self.limit = max(0, limit)
    }

    func resolved(in database: Database) throws -> CacheEntryQuery {
        var copy = self
        copy.filter = try filter.resolved(in: database)
        return copy
    }

    /// Returns the filter's condition if a scan of the table may be faster than the index of the order; nil otherwise.
    func scan(now: Date) -> SQLCondition? {
        let clause = filter.clause(now: now)
        return hasIndex && !clause.sql.isEmpty && !filter.namesEntries ? clause : nil
    }

    /// Returns the condition of the selected rows.
    func condition(now: Date) -> SQLCondition {
        let clause = filter.clause(now: now)
        guard let candidates else { return clause }
        return SQLCondition("\(clause.sql) AND id IN (SELECT value FROM json_each(?))", clause.values + [candidates])
    }

    private var hasIndex: Bool { order == .access || order == .expiry }

    /// Returns the query for the window's rows.
    ///
    /// For orders by last use and by expiry, the query reads the pinned and the unpinned rows along the index and
    /// merges them.
    func statement(now: Date) -> SQLCondition {
        statement(selecting: "\(CacheEntry.columns) FROM \(CacheEntry.tables)", now: now)
    }

    /// Returns the query for the window's identifiers.
    func identifiers(now: Date) -> SQLCondition {
        statement(selecting: "id, \(order.column) FROM entry", now: now)
    }

    /// Returns the query for the number of entries that precede an entry; it has no row if the entry is not selected.
    func place(of id: Int64, now: Date) -> SQLCondition {
        let clause = filter.clause(now: now)
        let joint = clause.sql.isEmpty ? "WHERE" : "\(clause.sql) AND"
        let sql = """
            SELECT (SELECT count(*) FROM entry \(joint)
                (\(order.comparable), id) \(isAscending ? "<" : ">")
                    (SELECT \(order.comparable), id FROM entry WHERE id = ?))
            FROM entry \(joint) id = ?
            """
        return SQLCondition(sql, clause.values + [id] + clause.values + [id])
    }

    private func statement(selecting columns: String, now: Date) -> SQLCondition {
        let select = "SELECT \(columns)"
        let end = "ORDER BY \(order.sql(ascending: isAscending)) LIMIT ? OFFSET ?"
        let clause = condition(now: now)
        guard hasIndex, candidates == nil else {
            return SQLCondition("\(select) \(clause.sql) \(end)", clause.values + [limit, offset])
        }
        let joint = clause.sql.isEmpty ? "WHERE" : "\(clause.sql) AND"
        return SQLCondition(
            "\(select) \(joint) pinned = 0 UNION ALL \(select) \(joint) pinned = 1 \(end)",
            clause.values + clause.values + [limit, offset])
    }
}

extension CacheOrder {
    fileprivate var column: String {
        switch self {
        case .access: "accessed"
        case .size: "length"
        case .age: "stored"
        case .hits: "hits"
        case .host: "host"
        case .expiry: "expires"
        case .pixels: "coalesce(width * height, -1)"
        case .type: "coalesce(format, '')"
        }
    }

    /// The order's SQL expression, never NULL: entries without expiry sort first.
    fileprivate var comparable: String { self == .expiry ? "coalesce(expires, -9e999)" : column }

    fileprivate func sql(ascending: Bool) -> String {
        let direction = ascending ? "ASC" : "DESC"
        return "\(column) \(direction), id \(direction)"
    }
}

extension CacheGroup {
    init(row: borrowing Row, by grouping: CacheGrouping) throws {
        let value: String = try row.value(at: 0)
        self.init(
            value: value, filter: Self.filter(value, by: grouping), entries: try row.value(at: 1),
            bytes: try row.value(at: 2), hits: try row.value(at: 3))
    }

    private static func filter(_ value: String, by grouping: CacheGrouping) -> String {
        guard grouping == .age else { return "\(grouping.rawValue):\(value)" }
        let ages = CacheGroupQuery.ages
        guard let place = ages.firstIndex(where: { $0.name == value }) else { return "age<\(ages.last?.name ?? "")" }
        return place == 0 ? "age>\(value)" : "age>\(value) age<\(ages[place - 1].name)"
    }
}

/// A window of groups of entries.
package struct CacheGroupQuery: Sendable, Hashable {
    package var field: CacheGrouping
    /// The filter; all entries by default.
    package var filter: CacheFilter
    /// The number of groups to skip; 0 by default.
    package var offset: Int
    /// The maximum number of groups; 1,000 by default.
    package var limit: Int

    /// Creates a window; negative offsets and limits count as 0.
    package init(field: CacheGrouping, filter: CacheFilter = CacheFilter(), offset: Int = 0, limit: Int = 1000) {
        self.field = field
        self.filter = filter
        self.offset = max(0, offset)
        self.limit = max(0, limit)
    }

    /// The minimum age of each group and its name, the oldest first.
    static let ages: [(seconds: Double, name: String)] = [
        (90 * 86_400, "90d"), (30 * 86_400, "30d"), (7 * 86_400, "7d"), (86_400, "1d"), (3600, "1h"),
    ]

    /// Returns the query for all groups.
    ///
    /// Complexity: O(n) in the entries.
    func statement(now: Date) -> SQLCondition {
        let clause = filter.clause(now: now)
        let sql = """
            SELECT \(value(now: now)) AS value, count(*) AS entries, sum(length) AS bytes, sum(hits) AS hits FROM entry
            \(clause.sql) GROUP BY 1
            """
        return SQLCondition(sql, clause.values)
    }

    private func value(now: Date) -> String {
        switch field {
        case .host: "lower(host)"
        case .type: "coalesce(format, '')"
        case .kind: "kind"
        case .age:
            "CASE "
                + Self.ages.map { "WHEN stored <= \(now.timeIntervalSince1970 - $0.seconds) THEN '\($0.name)'" }
                .joined(separator: " ") + " ELSE '0' END"
        }
    }
}
