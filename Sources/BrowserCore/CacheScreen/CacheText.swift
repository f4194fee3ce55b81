import Raster

/// What is said about a cache entry, as texts.
package enum CacheText {
    /// Such as `1 entry`, `412 entries`.
    static func entries(_ count: Int) -> String {
        "\(Units.count(count)) \(count == 1 ? "entry" : "entries")"
    }

    static func pixels(_ row: CacheRow, _ glyphs: GlyphSet) -> String {
        row.size.map { "\($0.width)\(glyphs.times)\($0.height)" } ?? ""
    }

    /// `in 7 d`, or why that does not count.
    static func expiry(_ row: CacheRow) -> String {
        if row.state == .damaged { return "damaged" }
        if row.isPinned { return "pinned" }
        guard let seconds = row.secondsToExpiry else { return "never" }
        return seconds < 0 || row.state == .expired ? "expired" : "in \(Units.duration(ahead: seconds))"
    }

    static func sign(_ row: CacheRow, _ glyphs: GlyphSet) -> StyledText {
        switch row.state {
        case .live: StyledText(glyphs.onDisk, .accent)
        case .expired: StyledText(glyphs.waiting, .dim)
        case .damaged: StyledText(glyphs.failed, .failure)
        }
    }

    /// The state as filters name it, and what `live` means.
    static func stateName(_ row: CacheRow) -> String {
        let state = row.state == .live ? "live (not expired)" : row.state.rawValue
        return row.isPinned ? "\(state), pinned" : state
    }

    /// `hits 91 % this run, 87 % ever`; what nobody asked for has no rate.
    static func hitRates(_ totals: CacheTotals) -> String? {
        let rates = [(totals.run, "this run"), (totals.life, "ever")].filter { $0.0.lookups > 0 }
            .map { "\(Units.percent($0.0.hits, of: $0.0.lookups)) \($0.1)" }
        return rates.isEmpty ? nil : "hits " + rates.joined(separator: ", ")
    }

    /// What an eviction would take first.
    static func nextToGo(_ totals: CacheTotals) -> String {
        let first = [(totals.damaged, "damaged"), (totals.expired, "expired")].filter { $0.0 > 0 }
            .map { "\($0.0 >= 1000 ? "1,000+" : Units.count($0.0)) \($0.1)" }
        return "next to go: " + (first + ["least used"]).joined(separator: ", then ")
    }

    /// The groups of ages, by the least of each.
    static let ages = [
        "0": "under 1 h", "1h": "1 h to 1 d", "1d": "1 d to 7 d", "7d": "7 d to 30 d", "30d": "30 d to 90 d",
        "90d": "90 d and more",
    ]

    /// What the entries of a group have in common.
    static func name(of group: CacheGroupRow, by grouping: CacheQuery.Grouping?) -> String {
        if grouping == .age { return ages[group.value] ?? group.value }
        return group.value.isEmpty ? "unknown" : group.value
    }

    /// Why entries had to go, by the names of `CacheEviction.Reason`.
    package static let reasons = [
        "expired": "expired", "sizeLimit": "over the limit", "freeSpace": "disk too full", "unused": "unused for long",
    ]
}

extension CacheQuery.Order {
    /// What it goes by.
    var title: String {
        switch self {
        case .used: "last use"
        case .size: "size"
        case .age: "age"
        case .hits: "hits"
        case .host: "host"
        case .expiry: "expiry"
        }
    }
}
