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
    /// After the others, least recently used entries until so many bytes are left; none by default.
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
    /// What a prune would take.
    @concurrent
    public func amount(of pruning: CachePruning) async throws(ImageError) -> CacheAmount {
        let moment = now()
        return try await asking { index in
            let causes = try await index.amount(pruning.filter, now: moment)
            guard let limit = pruning.sizeLimit else { return causes }
            let excess = try await index.totalBytes() - causes.bytes - limit
            return causes + (try await index.leastRecent(outside: pruning.filter, bytes: excess, now: moment))
        }
    }

    /// Takes away what a prune is for; answers how much went.
    @concurrent @discardableResult
    public func prune(_ pruning: CachePruning) async throws(ImageError) -> CacheAmount {
        let before = try await statistics()
        _ = try await removing(.removed, pruning.filter, sparesPinned: true)
        if let limit = pruning.sizeLimit { try await asking { try await self.trim($0, to: max(0, limit)) } }
        let after = try await statistics()
        return CacheAmount(
            entries: max(0, before.entries - after.entries), bytes: max(0, before.bytes - after.bytes))
    }
}

extension DiskIndex {
    /// Least recently used entries that a filter leaves, until there are so many bytes.
    fileprivate func leastRecent(outside filter: CacheFilter, bytes: Int, now: Date) async throws -> CacheAmount {
        guard bytes > 0, case .any(let causes)? = filter.terms.first else { return CacheAmount() }
        let clause = CacheFilter([.any(causes)]).clause(now: now)
        return try await ask { database in
            var amount = CacheAmount()
            let lengths = try Int.fetchCursor(
                database,
                sql: """
                    SELECT length FROM entry WHERE pinned = 0
                        AND id NOT IN (SELECT id FROM entry \(clause.sql)) ORDER BY accessed
                    """, arguments: clause.arguments)
            while amount.bytes < bytes, let length = try lengths.next() {
                amount = amount + CacheAmount(entries: 1, bytes: length)
            }
            return amount
        }
    }
}
