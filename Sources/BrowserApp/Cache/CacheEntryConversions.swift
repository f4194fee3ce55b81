import BrowserCore
import Foundation
import ImageLoading
import Lists

/// Conversions from the library's cache entries to the screen's rows.
extension CacheRow {
    init(_ entry: CacheEntry, now: Date) {
        let url = URL(string: entry.facts.url)
        let last = url?.lastPathComponent ?? ""
        let isNamed = !last.isEmpty && last != "/"
        self.init(
            id: String(entry.id), state: State(entry, now: now), isPinned: entry.isPinned,
            kind: entry.key.kind.rawValue, host: SafeText.clean(entry.facts.host),
            name: SafeText.clean(isNamed ? last : Redaction.display(entry.facts.url), keepsEnd: true),
            bytes: entry.length,
            size: entry.facts.size, processor: SafeText.clean(entry.key.processor), hits: entry.hits,
            secondsSinceUse: now.timeIntervalSince(entry.accessed).whole,
            secondsSinceStore: now.timeIntervalSince(entry.stored).whole,
            secondsToExpiry: entry.expires.map { $0.timeIntervalSince(now).whole })
    }
}

extension CacheRow.State {
    fileprivate init(_ entry: CacheEntry, now: Date) {
        if entry.damage != nil {
            self = .damaged
        } else {
            self = entry.isAlive(at: now) ? .live : .expired
        }
    }
}

extension CacheGroupRow {
    init(_ group: CacheGroup, of field: CacheGroupQuery.Field) {
        self.init(
            value: SafeText.clean(group.value), filter: group.filter(of: field), entries: group.entries,
            bytes: group.bytes, hits: group.hits)
    }
}

extension CacheTotals {
    /// Returns nil if the disk cache cannot be read.
    init?(_ statistics: ImageCacheStatistics) {
        guard let disk = statistics.disk else { return nil }
        self.init(
            entries: disk.entries, bytes: disk.bytes, space: disk.space, limit: disk.limit,
            diskBytes: disk.diskBytes, memoryBytes: statistics.memoryEntries > 0 ? statistics.memoryBytes : nil,
            memoryLimit: statistics.memoryLimit, run: Tally(disk.run), life: Tally(disk.life),
            damaged: disk.damagedEntries, expired: disk.expiredEntries)
    }
}

extension CacheTotals.Tally {
    init(_ tally: CacheTally) {
        self.init()
        (memory, disk, revalidated) = (tally.memoryHits, tally.diskHits, tally.revalidated)
        missed = max(0, tally.misses - tally.revalidated)
        bytesSaved = tally.bytesSaved
        damaged = tally.damaged
        evictions = Dictionary(uniqueKeysWithValues: tally.evictions.map { ($0.key.rawValue, $0.value) })
    }
}

extension EvictionPlace {
    /// The place in words.
    var text: String {
        switch self {
        case .never: "never, it is pinned"
        case .damaged: "next, it is damaged"
        case .expired: "soon, it has expired"
        case .leastRecent(let before, let isExact):
            before.entries == 0
                ? "next of the unexpired ones, used longest ago"
                : "after \(isExact ? "" : "more than ")\(before.summary) used longer ago"
        }
    }
}
