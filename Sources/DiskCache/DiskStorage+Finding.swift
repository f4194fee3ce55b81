import FoundationEssentials
import Synchronization

/// The result of a look-up.
package enum CacheFinding<Content: Sendable>: Sendable {
    case alive(Content)
    /// The content must be validated, and is stored again if it has changed.
    case expired(Content)
    case nothing
}

extension DiskStorage {
    /// Returns the bytes of a key, expired or not.
    ///
    /// An expired entry without an `ETag` or modification date cannot be renewed, so it is a miss unless `limit` allows
    /// it. The use of a live entry is recorded; every other result counts as a miss.
    ///
    /// - Parameters:
    ///   - validating: Whether the caller asks the server in any case; live entries are returned as expired then.
    ///   - notesUse: Whether to record a use or a miss; false for a repeated look-up.
    ///   - limit: Up to this long after its expiry, an entry is returned as expired even if it cannot be renewed.
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

    /// Returns the entry of a key without its bytes, and records the use of a live one.
    ///
    /// - Returns: `.nothing` if the key certainly has no usable entry; nil if the index cannot be read.
    @concurrent
    package func findRow(_ key: CacheEntryKey, extending: ExpirationExtending) async -> CacheFinding<CacheEntry>? {
        await findRows([(key, extending)], countsMisses: true)?.first
    }

    /// Returns the entries of some keys, in order, without their bytes.
    ///
    /// Records the use of live entries.
    ///
    /// - Parameter countsMisses: Whether it records misses, too; false by default.
    /// - Returns: nil if the index cannot be read.
    @concurrent
    package func findRows(
        _ wanted: [(key: CacheEntryKey, extending: ExpirationExtending)], countsMisses: Bool = false
    ) async -> [CacheFinding<CacheEntry>]? {
        try? await withIndex { [self] index in
            let moment = now()
            let findings = try index.entries(for: wanted.map(\.key)).map { entry in
                entry.map { finding(of: $0, at: moment) } ?? .nothing
            }
            let alive = zip(wanted, findings).compactMap { wanted, finding in
                if case .alive(let entry) = finding { (entry: entry, extending: wanted.extending) } else { nil }
            }
            if countsMisses {
                for (wanted, finding) in zip(wanted, findings) {
                    if case .nothing = finding { countMiss(wanted.key, index) }
                }
            }
            for (extending, touched) in Dictionary(grouping: alive, by: \.extending) {
                touch(touched.map(\.entry), extending, index)
            }
            return findings
        }
    }

    /// Returns the state of an entry, judged by the index and the content's length.
    ///
    /// An entry whose content is missing counts as expired, a damaged one as a miss.
    func finding(of entry: CacheEntry, at moment: Date) -> CacheFinding<CacheEntry> {
        if entry.damage != nil { return .nothing }
        return entry.isAlive(at: moment) && blobs.holdsContent(of: entry) ? .alive(entry) : .expired(entry)
    }
}

extension CacheEntry {
    /// Whether the server sent an entity tag or a modification date, so that the entry can be validated.
    fileprivate var canBeRenewed: Bool { facts.etag != nil || facts.lastModified != nil }

    /// Returns whether the entry's expiry lies at most `limit` before a time.
    package func hasExpired(within limit: Duration?, of moment: Date) -> Bool {
        guard let limit, let expires else { return false }
        return moment.timeIntervalSince(expires) <= limit / .seconds(1)
    }
}
