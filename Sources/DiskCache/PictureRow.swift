import Foundation
import GRDB

/// The part of an entry that a search of duplicates needs.
package struct PictureRow: Sendable, Hashable {
    package let id: Int64
    /// Equal for equal bytes.
    package let content: Int64
    /// The perceptual hash; nil if it is not known.
    package let hash: UInt64?
    package let pixels: Int
    package let bytes: Int
}

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

extension DiskStorage {
    /// Returns the originals that a filter selects, for a search of duplicates.
    ///
    /// Complexity: O(entries); some 40 bytes for each.
    @concurrent
    package func pictureRows(_ filter: CacheFilter) async throws(DiskCacheError) -> [PictureRow] {
        let moment = now()
        return try await withIndex { try await $0.pictureRows(filter, now: moment) }
    }
}
