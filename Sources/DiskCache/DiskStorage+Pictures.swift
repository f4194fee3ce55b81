import Filters
import Foundation
import GRDB

extension DiskStorage {
    /// Records what a decode told about an entry: verdict, hash, transparency, duration and colours.
    ///
    /// The entry's other facts stay.
    @concurrent
    package func recordPixels(_ facts: CacheEntryFacts, of entry: CacheEntry) async throws(DiskCacheError) {
        try await withIndex(.write) { index in
            try await index.commits.perform { database in
                try database.execute(
                    sql: """
                        UPDATE entry SET verdict = ?, hash = ?, alpha = ?, duration = ?, color = coalesce(?, color),
                            orientation = coalesce(?, orientation) WHERE id = ?
                        """,
                    arguments: [
                        facts.verdict, facts.hash.map { Int64(bitPattern: $0) }, facts.hasAlpha, facts.duration,
                        facts.color, facts.orientation, entry.id,
                    ])
            }
        }
    }

    /// Returns the originals that a filter selects, for a search of duplicates.
    ///
    /// Complexity: O(entries); some 40 bytes for each.
    @concurrent
    package func pictureRows(_ filter: CacheFilter) async throws(DiskCacheError) -> [PictureRow] {
        let moment = now()
        return try await query { database in
            let (clause, arguments) = try filter.resolved(in: database).clause(now: moment)
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
