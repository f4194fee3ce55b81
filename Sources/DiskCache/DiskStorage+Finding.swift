import Foundation
import Synchronization

/// What lies under a key, by one look into the index.
package enum CacheFinding<Content: Sendable>: Sendable {
    case alive(Content)
    /// To be validated, and stored anew.
    case expired(Content)
    case nothing
}

extension DiskStorage {
    /// The bytes under a key, expired or not; a use of live ones is noted, all else is a miss.
    ///
    /// Expired ones that no validator came with can never be renewed and are nothing, but for one who takes what expired
    /// within a time. For one who asks the server in any case, live ones are expired. `notesUse` is false for who has
    /// looked before.
    @concurrent
    package func find(
        _ key: CacheEntryKey, extending: ExpirationExtending, validating: Bool = false, noting notesUse: Bool = true,
        expiredWithin limit: Duration? = nil
    ) async -> CacheFinding<(data: Data, entry: CacheEntry)> {
        let found = try? await withIndex { [self] index -> CacheFinding<(data: Data, entry: CacheEntry)> in
            let moment = now()
            guard let entry = try index.entry(for: key),
                entry.isAlive(at: moment) || entry.canBeRenewed || entry.hasExpired(within: limit, of: moment),
                let data = await content(of: entry, index)
            else {
                if notesUse { countMiss(key, index) }
                return .nothing
            }
            guard entry.isAlive(at: moment), !validating else {
                if notesUse { countMiss(key, index) }
                return .expired((data, entry))
            }
            if notesUse { touch(entry, extending, index) }
            return .alive((data, entry))
        }
        return found ?? .nothing
    }

    /// The row under a key, whose use is noted where it is alive; `.nothing`, a miss, is certain.
    ///
    /// nil when the index cannot be asked.
    @concurrent
    package func findRow(_ key: CacheEntryKey, extending: ExpirationExtending) async -> CacheFinding<CacheEntry>? {
        try? await withIndex { [self] index in
            let entry = try index.entry(for: key)
            let found = entry.map { finding(of: $0, at: now()) } ?? .nothing
            switch found {
            case .alive(let entry): touch(entry, extending, index)
            case .nothing: countMiss(key, index)
            case .expired: break
            }
            return found
        }
    }

    /// The rows under some keys, in their order; the use of live ones is noted, no miss is counted.
    ///
    /// nil when the index cannot be asked.
    @concurrent
    package func findRows(
        _ wanted: [(key: CacheEntryKey, extending: ExpirationExtending)]
    ) async -> [CacheFinding<CacheEntry>]? {
        try? await withIndex { [self] index in
            let moment = now()
            let findings = try index.entries(for: wanted.map(\.key)).map { entry in
                entry.map { finding(of: $0, at: moment) } ?? .nothing
            }
            let alive = zip(wanted, findings).compactMap { wanted, finding in
                if case .alive(let entry) = finding { (entry: entry, extending: wanted.extending) } else { nil }
            }
            for (extending, touched) in Dictionary(grouping: alive, by: \.extending) {
                touch(touched.map(\.entry), extending, index)
            }
            return findings
        }
    }

    /// A row whose content is gone is as good as an expired one; of one that is known to be damaged nothing is of use.
    private func finding(of entry: CacheEntry, at moment: Date) -> CacheFinding<CacheEntry> {
        if entry.damage != nil { return .nothing }
        return entry.isAlive(at: moment) && blobs.holdsContent(of: entry) ? .alive(entry) : .expired(entry)
    }

    /// Counts a miss that was found before; the index hears of it when it is used next.
    package func countMiss(of key: CacheEntryKey) {
        guard key.kind == .original else { return }
        run.withLock { $0.add(.misses, 1) }
        uncountedMisses.withLock { $0 += 1 }
    }
}

extension CacheEntry {
    /// Whether the server named the bytes by something that it can be asked about.
    fileprivate var canBeRenewed: Bool { facts.etag != nil || facts.lastModified != nil }

    /// Whether it is past its end, but for no longer than that.
    package func hasExpired(within limit: Duration?, of moment: Date) -> Bool {
        guard let limit, let expires else { return false }
        return moment.timeIntervalSince(expires) <= limit / .seconds(1)
    }
}
