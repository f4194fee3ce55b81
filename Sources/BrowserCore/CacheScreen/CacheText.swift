import Raster

/// What is said about a cache entry, as texts.
enum CacheText {
    /// Such as `1 entry`, `412 entries`.
    static func entries(_ count: Int) -> String {
        "\(Units.count(count)) \(count == 1 ? "entry" : "entries")"
    }

    static func pixels(_ row: CacheRow, _ glyphs: GlyphSet) -> String {
        row.size.map { "\($0.width)\(glyphs.times)\($0.height)" } ?? ""
    }

    /// `in 6 d`, or why that does not count.
    static func expiry(_ row: CacheRow) -> String {
        if row.state == .damaged { return "damaged" }
        if row.isPinned { return "pinned" }
        guard let seconds = row.secondsToExpiry else { return "never" }
        return seconds < 0 || row.state == .expired ? "expired" : "in \(Units.duration(seconds: seconds))"
    }

    static func sign(_ row: CacheRow, _ glyphs: GlyphSet) -> StyledText {
        switch row.state {
        case .fresh: StyledText(glyphs.onDisk, .accent)
        case .expired: StyledText(glyphs.waiting, .dim)
        case .damaged: StyledText(glyphs.failed, .failure)
        }
    }

    static func stateName(_ row: CacheRow) -> String {
        row.isPinned ? "\(row.state.rawValue), pinned" : row.state.rawValue
    }
}
