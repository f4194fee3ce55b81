import AlcedoFilters
import Foundation
import GRDB
import Raster

/// The selection of entries that a prune removes; it never includes pinned ones.
package struct CachePruning: Sendable, Hashable {
    /// Entries that were stored longer ago than this, in seconds, are removed; nil, the default, removes none by age.
    package var olderThan: TimeInterval?
    /// Entries that were last used longer ago than this, in seconds, are removed; nil, the default, removes none.
    package var unusedFor: TimeInterval?
    /// Whether expired entries are removed; false by default.
    package var takesExpired: Bool
    /// The maximum disk usage of the contents in bytes, in whole blocks; none by default.
    ///
    /// After the other entries, the least recently used ones are removed until it is reached.
    package var sizeLimit: Int?

    package init(
        olderThan: TimeInterval? = nil, unusedFor: TimeInterval? = nil, takesExpired: Bool = false,
        sizeLimit: Int? = nil
    ) {
        (self.olderThan, self.unusedFor, self.takesExpired) = (olderThan, unusedFor, takesExpired)
        self.sizeLimit = sizeLimit
    }

    /// The filter for everything but the size limit; it always includes damaged entries.
    var filter: CacheFilter {
        var causes = [FilterTerm.state(.damaged)]
        if let olderThan { causes.append(.number(.age, .above, olderThan)) }
        if let unusedFor { causes.append(.number(.unused, .above, unusedFor)) }
        if takesExpired { causes.append(.state(.expired)) }
        return CacheFilter([.matching(PictureFilter(any: causes)), .unpinned])
    }
}

extension DiskStorage {
    /// Returns the number of entries that a prune would remove, and the bytes of contents that this would free.
    @concurrent
    package func amount(of pruning: CachePruning) async throws(DiskCacheError) -> CacheAmount {
        let moment = now()
        return try await withIndex { try await $0.amount(of: pruning, now: moment) }
    }

    /// Removes the entries of a prune.
    ///
    /// - Returns: The number of removed entries, and the freed bytes of contents.
    @concurrent @discardableResult
    package func prune(_ pruning: CachePruning) async throws(DiskCacheError) -> CacheAmount {
        let chosen = try await removing(.removed, pruning.filter, sparesPinned: true)
        guard let limit = pruning.sizeLimit else { return chosen }
        return chosen + (try await removeLeastRecent(downTo: max(0, limit)))
    }

    /// Removes entries in the order of eviction until the contents take at most `limit` bytes on disk.
    ///
    /// They do not count as evictions, as the user asks for their removal.
    private func removeLeastRecent(downTo limit: Int) async throws(DiskCacheError) -> CacheAmount {
        try await withIndex(.write) { [self] index in
            var amount = CacheAmount()
            while true {
                let excess = try index.totalSpace() - limit
                let candidates = try await index.evictionCandidates(forBytes: excess, now: now(), slice: 256)
                guard !candidates.isEmpty else { return amount }
                let removed = try await index.remove(ids: candidates.all, sparesPinned: true)
                notify(removed.keys, .removed)
                amount = amount + removed.amount
            }
        }
    }
}

extension DiskIndex {
    fileprivate func amount(of pruning: CachePruning, now: Date) async throws -> CacheAmount {
        let total = try totalSpace()
        let clause = pruning.filter.clause(now: now)
        return try await runQuery { database in
            var toRemove = ContentsToRemove()
            let chosen = "SELECT entry.id FROM entry \(clause.sql)"
            try toRemove.add(Self.sizes(in: database, "WHERE entry.id IN (\(chosen))", clause.arguments)) { _ in true }
            guard let limit = pruning.sizeLimit else { return toRemove.amount }
            // This is the order of eviction.
            let rest = """
                WHERE entry.pinned = 0 AND entry.id NOT IN (\(chosen))
                ORDER BY entry.damage IS NULL, ifnull(entry.expires > \(now.timeIntervalSince1970), 1),
                    iif(entry.expires <= \(now.timeIntervalSince1970), entry.expires, entry.accessed)
                """
            try toRemove.add(Self.sizes(in: database, rest, clause.arguments)) { total - $0 > limit }
            return toRemove.amount
        }
    }

    private static func sizes(
        in database: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> RowCursor {
        try Row.fetchCursor(
            database,
            sql: "SELECT number, size, uses FROM entry JOIN content ON number = entry.content \(condition)",
            arguments: arguments)
    }
}

/// The number of entries to remove, and the bytes of the contents that only these entries use.
private struct ContentsToRemove {
    private(set) var amount = CacheAmount()
    /// The disk usage of these contents in bytes, in whole blocks.
    private var space = 0
    private var uses: [Int64: Int] = [:]

    /// Adds entries while `isWanted` returns true for the disk usage so far.
    ///
    /// The columns of `rows` are the content's identifier, size and use count.
    mutating func add(_ rows: RowCursor, while isWanted: (Int) -> Bool) throws {
        while isWanted(space), let row = try rows.next() {
            let (content, size, all): (Int64, Int, Int) = (
                try row.decode(atIndex: 0), try row.decode(atIndex: 1), try row.decode(atIndex: 2)
            )
            let left = (uses[content] ?? all) - 1
            uses[content] = left
            amount.entries += 1
            guard left == 0 else { continue }
            amount.bytes += size
            space += BlobStore.space(size)
        }
    }
}
