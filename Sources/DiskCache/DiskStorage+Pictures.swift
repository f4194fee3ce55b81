import Filters
import Foundation
import GRDB

extension DiskIndex {
    /// Returns the originals that a filter selects.
    func pictureRows(_ filter: CacheFilter, now: Date) async throws -> [PictureRow] {
        try await runQuery { database in
            let (clause, arguments) = try filter.resolved(in: database).clause(now: now)
            let condition = (clause.isEmpty ? "WHERE " : "\(clause) AND ") + "kind = 'original'"
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT id, content, hash, coalesce(width, 0) * coalesce(height, 0) AS pixels, length
                    FROM entry \(condition)
                    """, arguments: arguments)
            var result: [PictureRow] = []
            while let row = try rows.next() {
                result.append(
                    PictureRow(
                        id: row[0], content: row[1], hash: (row[2] as Int64?).map { UInt64(bitPattern: $0) },
                        pixels: row[3], bytes: row[4]))
            }
            return result
        }
    }
}

extension DiskIndex {
    /// Records what a decode told about an entry; its other facts stay.
    func recordPixels(_ facts: CacheEntryFacts, of id: Int64) async throws {
        try await commits.perform { database in
            try database.execute(
                sql: """
                    UPDATE entry SET verdict = ?, hash = ?, alpha = ?, duration = ?, color = coalesce(?, color),
                        orientation = coalesce(?, orientation) WHERE id = ?
                    """,
                arguments: [
                    facts.verdict, facts.hash.map { Int64(bitPattern: $0) }, facts.hasAlpha, facts.duration,
                    facts.color, facts.orientation, id,
                ])
        }
    }
}

extension DiskStorage {
    /// Records what a decode told about an entry: verdict, hash, transparency, duration and colours.
    @concurrent
    package func recordPixels(_ facts: CacheEntryFacts, of entry: CacheEntry) async throws(DiskCacheError) {
        try await withIndex(.write) { try await $0.recordPixels(facts, of: entry.id) }
    }

    /// Returns the originals that a filter selects, for a search of duplicates.
    ///
    /// Complexity: O(entries); some 40 bytes for each.
    @concurrent
    package func pictureRows(_ filter: CacheFilter) async throws(DiskCacheError) -> [PictureRow] {
        let moment = now()
        return try await withIndex { try await $0.pictureRows(filter, now: moment) }
    }
}
