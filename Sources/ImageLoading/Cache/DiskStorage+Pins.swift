import Foundation
import GRDB

/// What eviction spares.
extension DiskStorage {
    /// Pins entries, or lets go of them; answers how many were there.
    ///
    /// What is pinned does not expire, and nothing but its removal takes it away.
    @concurrent @discardableResult
    public func setPinned(_ isPinned: Bool, ids: [Int64]) async throws(ImageError) -> Int {
        try await changing(holdsIdentifiers: true) { try await $0.setPinned(isPinned, ids: ids) }
    }
}

extension DiskIndex {
    fileprivate func setPinned(_ isPinned: Bool, ids: [Int64]) async throws -> Int {
        try await commits.perform { database in
            try ids.reduce(0) { count, id in
                try database.cachedStatement(sql: "UPDATE entry SET pinned = ? WHERE id = ?")
                    .run([isPinned, id])
                return count + database.changesCount
            }
        }
    }
}
