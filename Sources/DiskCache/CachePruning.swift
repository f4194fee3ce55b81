import Foundation
import GRDB

/// What a prune takes away; never what is pinned.
public struct CachePruning: Sendable, Hashable {
    /// Entries that were stored longer ago, in seconds; none by default.
    public var olderThan: TimeInterval?
    /// Entries that nobody has used for longer, in seconds; none by default.
    public var unusedFor: TimeInterval?
    /// Entries whose time has come; off by default.
    public var takesExpired: Bool
    /// After the others, least recently used entries until the contents take so many bytes of the file system, in whole
    /// blocks of it; none by default.
    public var sizeLimit: Int?

    public init(
        olderThan: TimeInterval? = nil, unusedFor: TimeInterval? = nil, takesExpired: Bool = false,
        sizeLimit: Int? = nil
    ) {
        self.olderThan = olderThan
        self.unusedFor = unusedFor
        self.takesExpired = takesExpired
        self.sizeLimit = sizeLimit
    }

    /// Damaged entries always.
    var filter: CacheFilter {
        var causes: [CacheFilter.Term] = [.damaged]
        if let olderThan { causes.append(.olderThan(olderThan)) }
        if let unusedFor { causes.append(.unusedFor(unusedFor)) }
        if takesExpired { causes.append(.expired) }
        return CacheFilter([.any(causes), .unpinned])
    }
}

extension DiskStorage {
    /// What a prune would take; of bytes those that no entry needs any more then.
    @concurrent
    public func amount(of pruning: CachePruning) async throws(DiskCacheError) -> CacheAmount {
        let moment = now()
        return try await withIndex { try await $0.amount(of: pruning, now: moment) }
    }

    /// Takes away what a prune is for; answers how much went, told the same way.
    @concurrent @discardableResult
    public func prune(_ pruning: CachePruning) async throws(DiskCacheError) -> CacheAmount {
        let chosen = try await removing(.removed, pruning.filter, sparesPinned: true)
        guard let limit = pruning.sizeLimit else { return chosen }
        return chosen + (try await removeLeastRecent(downTo: max(0, limit)))
    }

    /// In the order in which room is made; what goes is no eviction, as somebody asks for it.
    private func removeLeastRecent(downTo limit: Int) async throws(DiskCacheError) -> CacheAmount {
        try await withIndex(.write) { [self] index in
            var amount = CacheAmount()
            while true {
                let excess = try index.totalSpace() - limit
                let choice = try await index.choice(forBytes: excess, now: now(), slice: 256)
                guard !choice.isEmpty else { return amount }
                let removed = try await index.remove(ids: choice.all, sparesPinned: true)
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
        return try await ask { database in
            var goes = GoingContents()
            let chosen = "SELECT entry.id FROM entry \(clause.sql)"
            try goes.add(Self.sizes(in: database, "WHERE entry.id IN (\(chosen))", clause.arguments)) { _ in true }
            guard let limit = pruning.sizeLimit else { return goes.amount }
            // The order in which room is made.
            let rest = """
                WHERE entry.pinned = 0 AND entry.id NOT IN (\(chosen))
                ORDER BY entry.damage IS NULL, ifnull(entry.expires > \(now.timeIntervalSince1970), 1),
                    iif(entry.expires <= \(now.timeIntervalSince1970), entry.expires, entry.accessed)
                """
            try goes.add(Self.sizes(in: database, rest, clause.arguments)) { total - $0 > limit }
            return goes.amount
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

/// Entries that go, and the bytes of contents of which the last entry does.
private struct GoingContents {
    private(set) var amount = CacheAmount()
    /// Of the file system, in whole blocks.
    private var space = 0
    private var uses: [Int64: Int] = [:]

    /// Takes entries, with their content's number, size and uses, while more is wanted, as the space that goes tells.
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
