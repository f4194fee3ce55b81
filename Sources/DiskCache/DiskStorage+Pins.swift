import Foundation
import GRDB

/// Pins of entries.
extension DiskStorage {
    /// Pins or unpins entries.
    ///
    /// A pinned entry does not expire and is not evicted; it can be removed on request.
    ///
    /// - Returns: The number of entries that exist.
    @concurrent @discardableResult
    public func setPinned(_ isPinned: Bool, ids: [Int64]) async throws(DiskCacheError) -> Int {
        try await withIndex(.writeByIdentifier) { index in
            try await index.commits.perform { database in
                try ids.reduce(0) { count, id in
                    try database.cachedStatement(sql: "UPDATE entry SET pinned = ? WHERE id = ?")
                        .run([isPinned, id])
                    return count + database.changesCount
                }
            }
        }
    }
}

/// Lifetimes of entries.
extension DiskStorage {
    /// Limits the lifetime of an entry from now on; an entry that expires sooner is not changed.
    @concurrent
    package func shortenLife(of entry: CacheEntry, to life: StorageExpiration) async throws(DiskCacheError) {
        let moment = now()
        guard let end = life.date(from: moment), entry.expires.map({ $0 > end }) ?? true else { return }
        try await withIndex(.writeByIdentifier) { index in
            try await index.commits.perform { database in
                try database.cachedStatement(sql: "UPDATE entry SET expires = ?, life = ? WHERE id = ?")
                    .run([end.timeIntervalSince1970, max(0, end.timeIntervalSince(moment)), entry.id])
            }
        }
    }
}
