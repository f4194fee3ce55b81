import BrowserCore
import Foundation
import ImageLoading

/// The library's entries in the screen's words.
extension CacheRow {
    init(_ entry: CacheEntry, now: Date) {
        let url = URL(string: entry.facts.url)
        let last = url?.lastPathComponent ?? ""
        let expiry = entry.expires.map { Int(clamping: Int64($0.timeIntervalSince(now))) }
        self.init(
            id: String(entry.id), state: expiry.map { $0 < 0 } == true ? .expired : .fresh, isPinned: entry.isPinned,
            kind: entry.key.kind.rawValue, host: SafeText.clean(entry.facts.host),
            name: SafeText.clean(last.isEmpty ? Redacted.text(entry.facts.url) : last), bytes: entry.length,
            size: entry.facts.size, processor: SafeText.clean(entry.key.processor), hits: entry.hits,
            secondsSinceUse: Int(clamping: Int64(now.timeIntervalSince(entry.accessed))), secondsToExpiry: expiry)
    }
}

extension CacheTotals {
    init(_ statistics: CacheStatistics) {
        self.init(
            entries: statistics.entries, bytes: statistics.bytes, limit: statistics.limit, hits: statistics.hits,
            lookups: statistics.hits + statistics.misses, bytesSaved: statistics.bytesSaved)
    }
}

extension CacheEntryQuery.Order {
    init(_ order: CacheQuery.Order) {
        switch order {
        case .used: self = .access
        case .size: self = .size
        case .age: self = .age
        case .hits: self = .hits
        case .host: self = .host
        case .expiry: self = .expiry
        }
    }
}
