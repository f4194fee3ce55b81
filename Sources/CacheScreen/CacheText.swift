import AlcedoScreen
import Raster

/// The texts about cache entries.
package enum CacheText {
    /// Returns `1 entry`, `412 entries`.
    static func entries(_ count: Int) -> String {
        "\(Units.count(count)) \(count == 1 ? "entry" : "entries")"
    }

    static func pixels(_ row: CacheRow, _ glyphs: GlyphSet) -> String {
        row.size.map { "\($0.width)\(glyphs.times)\($0.height)" } ?? ""
    }

    /// Returns `in 7 d`, or the reason why the entry does not expire then.
    static func expiry(_ row: CacheRow) -> String {
        if row.state == .damaged { return "damaged" }
        if row.isPinned { return "pinned" }
        guard let seconds = row.secondsToExpiry else { return "never" }
        return seconds < 0 || row.state == .expired ? "expired" : "in \(Units.duration(ahead: seconds))"
    }

    static func sign(_ row: CacheRow, _ glyphs: GlyphSet) -> StyledText {
        switch row.state {
        case .live: StyledText(glyphs.onDisk, .dim)
        case .expired: StyledText(glyphs.waiting, .dim)
        case .damaged: StyledText(glyphs.failed, .failure)
        }
    }

    /// Returns `hits 91 % this run, 87 % ever`, without periods that have no look-ups.
    static func hitRates(_ totals: CacheStatistics) -> String? {
        let rates = [(totals.run, "this run"), (totals.life, "ever")].filter { $0.0.lookups > 0 }
            .map { "\(Units.percent($0.0.hits, of: $0.0.lookups)) \($0.1)" }
        return rates.isEmpty ? nil : "hits " + rates.joined(separator: ", ")
    }

    /// Returns the kinds of entries that would be evicted first.
    static func nextToGo(_ totals: CacheStatistics) -> String {
        let first = [(totals.damagedEntries, "damaged"), (totals.expiredEntries, "expired")].filter { $0.0 > 0 }
            .map { "\($0.0 >= 1000 ? "1,000+" : Units.count($0.0)) \($0.1)" }
        return "next to go: " + (first + ["least used"]).joined(separator: ", then ")
    }

    /// The groups of ages by their lower bounds.
    static let ages = [
        "0": "under 1 h", "1h": "1 h to 1 d", "1d": "1 d to 7 d", "7d": "7 d to 30 d", "30d": "30 d to 90 d",
        "90d": "90 d and more",
    ]

    /// Returns the name of a group.
    static func name(of group: CacheGroup, by grouping: CacheGrouping?) -> String {
        if grouping == .age { return ages[group.value] ?? group.value }
        return group.value.isEmpty ? "unknown" : group.value
    }

    /// Returns why entries on disk were evicted.
    package static func words(for reason: EvictionReason) -> String {
        switch reason {
        case .sizeLimit: "over the limit"
        case .freeSpace: "disk too full"
        case .unused: "unused for long"
        case .expired, .costLimit, .countLimit, .removed, .replaced, .damaged, .cleared: reason.rawValue
        }
    }
}

extension CacheOrder {
    /// The property that the order compares.
    var title: String { self == .access ? "last use" : rawValue }
}
