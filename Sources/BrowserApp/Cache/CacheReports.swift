import BrowserCore
import Foundation
import ImageLoading
import Lists
import Raster

/// The statistics of the cache, as text lines and as JSON.
package struct CacheStatisticsReport: Sendable, Encodable {
    package var folder: String
    package var entries: Int
    package var bytes: Int
    /// In whole blocks of the file system, to which the limit applies.
    package var space: Int
    package var limit: Int
    /// The disk usage of the folder as `du` reports it.
    package var diskBytes: Int
    /// The hits of both tiers.
    package var hits: Int
    package var memoryHits: Int
    package var diskHits: Int
    /// Look-ups without a usable entry.
    package var misses: Int
    /// Look-ups of an expired entry that the server confirmed.
    package var revalidated: Int
    package var bytesSaved: Int
    package var evictions: Int
    package var evictionsByReason: [String: Int]
    /// The number of damaged entries found over all runs.
    package var damaged: Int
    /// The number of entries known to be damaged, counted up to 1,000.
    package var damagedNow: Int

    init(_ statistics: CacheStatistics, folder: String) {
        self.folder = folder
        entries = statistics.entries
        bytes = statistics.bytes
        space = statistics.space
        limit = statistics.limit
        diskBytes = statistics.diskBytes
        let life = statistics.life
        hits = life.hits
        memoryHits = life.memoryHits
        diskHits = life.diskHits
        misses = max(0, life.misses - life.revalidated)
        revalidated = life.revalidated
        bytesSaved = life.bytesSaved
        evictionsByReason = Dictionary(uniqueKeysWithValues: life.evictions.map { ($0.key.rawValue, $0.value) })
        evictions = life.evictions.values.reduce(0, +)
        damaged = life.damaged
        damagedNow = statistics.damagedEntries
    }

    /// One line for each fact.
    package var lines: [String] {
        let lookups = hits + revalidated + misses
        let rate = lookups == 0 ? "none yet" : "\(Units.percent(hits, of: lookups)) of \(Units.count(lookups)) look-ups"
        let reasons = evictionsByReason.sorted { $0.key < $1.key }.map {
            "\(Units.count($0.value)) \(CacheText.reasons[$0.key] ?? $0.key)"
        }
        let why = reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))"
        return [
            "folder     \(folder)",
            "entries    \(Units.count(entries))",
            "size       \(Units.bytes(bytes)), in whole blocks \(Units.bytes(space)) of \(Units.bytes(limit))",
            "disk       \(Units.bytes(diskBytes)) with index and folders",
            "hits       \(rate)",
            "tiers      \(Units.count(memoryHits)) memory, \(Units.count(diskHits)) disk, "
                + "\(Units.count(revalidated)) revalidated, \(Units.count(misses)) missed",
            "saved      \(Units.bytes(bytesSaved)) of transfers",
            "evicted    \(Units.count(evictions))\(why)",
            "damaged    \(Units.count(damagedNow)) now, \(Units.count(damaged)) found so far",
        ]
    }
}

/// One cache entry, as a text line and as JSON.
package struct CacheEntryReport: Sendable, Encodable {
    /// The key that the other commands accept.
    package var key: String
    package var id: Int64
    /// `damaged`, `pinned`, `live` or `expired`; the first that applies.
    package var state: String
    package var url: String
    package var host: String
    package var kind: String
    package var processor: String
    package var format: String?
    package var width: Int?
    package var height: Int?
    package var frames: Int?
    package var bytes: Int
    package var hits: Int
    package var ageSeconds: Int
    package var idleSeconds: Int
    package var expiresInSeconds: Int?
    package var isPinned: Bool
    package var sha256: String
    package var verdict, mismatch, contentType, phash: String?
    package var alpha: Bool?
    package var durationMs, orientation: Int?
    package var color: ColorFacts?

    init(_ entry: CacheEntry, now: Date) {
        key = entry.name
        id = entry.id
        state = Self.state(entry, now)
        url = Redaction.display(entry.facts.url)
        host = entry.facts.host
        kind = entry.key.kind.rawValue
        processor = entry.key.processor
        format = entry.facts.format
        width = entry.facts.size?.width
        height = entry.facts.size?.height
        frames = entry.facts.frames
        bytes = entry.length
        hits = entry.hits
        ageSeconds = now.timeIntervalSince(entry.stored).whole
        idleSeconds = now.timeIntervalSince(entry.accessed).whole
        expiresInSeconds = entry.isPinned ? nil : entry.expires.map { $0.timeIntervalSince(now).whole }
        isPinned = entry.isPinned
        sha256 = entry.digest
        let facts = ImageFacts(entry)
        (verdict, phash) = (facts.verdict?.rawValue, facts.hash?.description)
        (alpha, durationMs, color) = (facts.hasAlpha, facts.duration?.milliseconds, facts.header?.color)
        orientation = facts.orientation
        contentType = facts.contentType.map { SafeText.clean($0) }
        mismatch = facts.mismatch(address: url).map { SafeText.clean($0) }
    }

    private static func state(_ entry: CacheEntry, _ now: Date) -> String {
        if entry.damage != nil { return "damaged" }
        if entry.isPinned { return "pinned" }
        return entry.isAlive(at: now) ? "live" : "expired"
    }

    var pixels: String? { width.flatMap { width in height.map { "\(width)×\($0)" } } }

    /// One line: key, state, size, format, pixels, hits, last use, address.
    package var line: String {
        let columns = [
            Fitting.pad(key, to: 19),
            state == "live" ? "-" : String(state.prefix(1)),
            Fitting.pad(Units.bytes(bytes), to: 9, .trailing),
            Fitting.pad(format ?? "–", to: 5),
            Fitting.pad(pixels ?? "–", to: 11, .trailing),
            Fitting.pad("\(hits)×", to: 6, .trailing),
            Fitting.pad(Units.duration(seconds: idleSeconds), to: 7, .trailing),
            url,
        ]
        return (processor.isEmpty ? columns : columns + [processor]).joined(separator: "  ")
    }
}

/// The amount that a removal deleted or, in a dry run, would delete.
package struct RemovalReport: Sendable, Encodable {
    package var entries: Int
    package var bytes: Int
    package var isDryRun: Bool

    package init(_ amount: CacheAmount, isDryRun: Bool) {
        entries = amount.entries
        bytes = amount.bytes
        self.isDryRun = isDryRun
    }
}

/// The number of entries that were pinned or unpinned.
package struct PinReport: Sendable, Encodable {
    package var entries: Int
    package var isPinned: Bool

    package var line: String {
        "\(isPinned ? "Pinned" : "Unpinned") \(Units.count(entries)) \(entries == 1 ? "entry" : "entries")."
    }
}

extension CacheAmount {
    /// The amount in words, such as `412 entries, 1.4 GiB`.
    package var summary: String {
        "\(Units.count(entries)) \(entries == 1 ? "entry" : "entries"), \(Units.bytes(bytes))"
    }
}
