import Foundation
import GRDB

/// How long entries live.
extension DiskStorage {
    /// Lets an entry live no longer than so long from now; one that was to end sooner does so still.
    @concurrent
    public func shortenLife(of entry: CacheEntry, to life: StorageExpiration) async throws(ImageError) {
        let moment = now()
        guard let end = life.date(from: moment), entry.expires.map({ $0 > end }) ?? true else { return }
        try await changing(holdsIdentifiers: true) { try await $0.setLife(of: entry.id, until: end, from: moment) }
    }
}

extension DiskIndex {
    fileprivate func setLife(of id: Int64, until end: Date, from start: Date) async throws {
        try await commits.perform { database in
            try database.cachedStatement(sql: "UPDATE entry SET expires = ?, life = ? WHERE id = ?")
                .run([end.timeIntervalSince1970, max(0, end.timeIntervalSince(start)), id])
        }
    }
}
