import Foundation
import GRDB

/// What eviction spares.
extension DiskStorage {
    /// Pins entries, or lets go of them; answers how many were there.
    ///
    /// What is pinned does not expire, and nothing but its removal takes it away.
    @concurrent @discardableResult
    public func setPinned(_ isPinned: Bool, ids: [Int64]) async throws(DiskCacheError) -> Int {
        try await withIndex(.writeByIdentifier) { try await $0.setPinned(isPinned, ids: ids) }
    }
}

/// Lives of entries.
extension DiskStorage {
    /// Lets an entry live no longer than a time from now; an entry that expires sooner keeps its time.
    @concurrent
    public func shortenLife(of entry: CacheEntry, to life: StorageExpiration) async throws(DiskCacheError) {
        let moment = now()
        guard let end = life.date(from: moment), entry.expires.map({ $0 > end }) ?? true else { return }
        try await withIndex(.writeByIdentifier) { try await $0.setLife(of: entry.id, until: end, from: moment) }
    }
}

extension DiskIndex {
    fileprivate func setLife(of id: Int64, until end: Date, from start: Date) async throws {
        try await commits.perform { database in
            try database.cachedStatement(sql: "UPDATE entry SET expires = ?, life = ? WHERE id = ?")
                .run([end.timeIntervalSince1970, max(0, end.timeIntervalSince(start)), id])
        }
    }

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
