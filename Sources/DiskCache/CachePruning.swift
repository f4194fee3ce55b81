import AlcedoFilters
import AlcedoSQLite
import FoundationEssentials
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
            let those = SQLCondition("WHERE entry.id IN (\(chosen))", clause.values)
            try toRemove.add(those, in: database) { _ in true }
            guard let limit = pruning.sizeLimit else { return toRemove.amount }
            // This is the order of eviction.
            let rest = """
                WHERE entry.pinned = 0 AND entry.id NOT IN (\(chosen))
                ORDER BY entry.damage IS NULL, ifnull(entry.expires > \(now.timeIntervalSince1970), 1),
                    iif(entry.expires <= \(now.timeIntervalSince1970), entry.expires, entry.accessed)
                """
            try toRemove.add(SQLCondition(rest, clause.values), in: database) { total - $0 > limit }
            return toRemove.amount
        }
    }
}

/// The number of entries to remove, and the bytes of the contents that only these entries use.
private struct ContentsToRemove {
    private(set) var amount = CacheAmount()
    /// The disk usage of these contents in bytes, in whole blocks.
    private var space = 0
    private var uses: [Int64: Int] = [:]

    /// Adds the entries of a condition while `isWanted` returns true for the disk usage so far.
    mutating func add(_ condition: SQLCondition, in database: Database, while isWanted: (Int) -> Bool) throws {
        let sql = "SELECT number, size, uses FROM entry JOIN content ON number = entry.content \(condition.sql)"
        guard isWanted(space) else { return }
        try database.forEachRow(sql, condition.values) { row in
            let (content, size): (Int64, Int) = (try row.value(at: 0), try row.value(at: 1))
            let left = try uses[content] ?? row.value(at: 2)
            uses[content] = left - 1
            amount.entries += 1
            if left == 1 {
                amount.bytes += size
                space += BlobStore.space(size)
            }
            return isWanted(space)
        }
    }
}
