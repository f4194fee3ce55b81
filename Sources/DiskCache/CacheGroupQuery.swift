import Foundation
import GRDB

/// A group of entries with a common property, and its totals.
package struct CacheGroup: Sendable, Hashable {
    /// The host, format or kind; for ages the minimum, such as `7d`, and `0` for the youngest group.
    package var value: String
    package var entries: Int
    package var bytes: Int
    package var hits: Int

    /// Returns the text of the filter that selects the entries of the group.
    package func filter(of field: CacheGroupQuery.Field) -> String {
        guard field == .age else { return "\(field.rawValue):\(value)" }
        let ages = CacheGroupQuery.ages
        guard let place = ages.firstIndex(where: { $0.name == value }) else { return "age<\(ages.last?.name ?? "")" }
        return place == 0 ? "age>\(value)" : "age>\(value) age<\(ages[place - 1].name)"
    }

    init(row: Row) throws {
        value = try row.decode(forColumn: "value")
        entries = try row.decode(forColumn: "entries")
        bytes = try row.decode(forColumn: "bytes")
        hits = try row.decode(forColumn: "hits")
    }
}

/// A window of groups of entries.
package struct CacheGroupQuery: Sendable, Hashable {
    /// The property by which entries are grouped.
    package enum Field: String, Sendable, Hashable, CaseIterable {
        case host, type, kind, age
    }

    package var field: Field
    /// The filter; all entries by default.
    package var filter: CacheFilter
    /// The number of groups to skip; 0 by default.
    package var offset: Int
    /// The maximum number of groups; 1,000 by default.
    package var limit: Int

    /// Creates a window; negative offsets and limits count as 0.
    package init(field: Field, filter: CacheFilter = CacheFilter(), offset: Int = 0, limit: Int = 1000) {
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
    func statement(now: Date) -> (sql: String, arguments: StatementArguments) {
        let clause = filter.clause(now: now)
        let sql = """
            SELECT \(value(now: now)) AS value, count(*) AS entries, sum(length) AS bytes, sum(hits) AS hits FROM entry
            \(clause.sql) GROUP BY 1
            """
        return (sql, clause.arguments)
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
