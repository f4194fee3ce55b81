import AlcedoSQLite
import Foundation
import TestSupport
import Testing

@testable import AlcedoDiskCache

/// Questions that are asked again for every slice must not walk over the whole table.
@Suite(.timeLimit(.minutes(1))) struct DiskIndexPlanTests {
    private let place: TemporaryFolder
    private let index: DiskIndex

    init() throws {
        place = try TemporaryFolder()
        index = try DiskIndex(path: place / "index.sqlite", blobs: BlobStore(folder: place / "blobs"))
    }

    /// How SQLite goes about a question whose arguments are all numbers.
    private func plan(of sql: String) throws -> [String] {
        try index.read { database in
            let count = sql.contains("?2") ? 2 : sql.count { $0 == "?" }
            let ones = [Int](repeating: 1, count: count)
            return try database.rows("EXPLAIN QUERY PLAN \(sql)", ones) { row in try row.value(at: 3) as String }
        }
    }

    @Test func `queries for entries to remove use an index`() throws {
        #expect(try plan(of: DiskIndex.damaged) == ["SEARCH entry USING INDEX entryDamaged (damage>?)"])
        #expect(try plan(of: DiskIndex.expired) == ["SEARCH entry USING INDEX entryByExpiry (pinned=? AND expires<?)"])
        #expect(try plan(of: DiskIndex.leastRecent) == ["SEARCH entry USING INDEX entryByAccess (pinned=?)"])
    }

    @Test(arguments: ["", "state:pinned", "state:expired", "state:damaged", "size>1"])
    func `queries for selected entries follow the primary key`(text: String) throws {
        let plan = try plan(of: DiskIndex.selected(try CacheFilter(text), now: .now).sql)
        #expect(plan == ["SEARCH entry USING INTEGER PRIMARY KEY (rowid>?)"])
    }
}
