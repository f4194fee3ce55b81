import BrowserCore
import Foundation
import ImageLoading
import Lists
import Raster

/// The statistics of the cache, as text lines and as JSON.
public struct CacheStatisticsReport: Sendable, Encodable {
    public var folder: String
    public var entries: Int
    public var bytes: Int
    /// In whole blocks of the file system, to which the limit applies.
    public var space: Int
    public var limit: Int
    /// The disk usage of the folder as `du` reports it.
    public var diskBytes: Int
    /// The hits of both tiers.
    public var hits: Int
    public var memoryHits: Int
    public var diskHits: Int
    /// Look-ups without a usable entry.
    public var misses: Int
    /// Look-ups of an expired entry that the server confirmed.
    public var revalidated: Int
    public var bytesSaved: Int
    public var evictions: Int
    public var evictionsByReason: [String: Int]
    /// The number of damaged entries found over all runs.
    public var damaged: Int
    /// The number of entries known to be damaged, counted up to 1,000.
    public var damagedNow: Int

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
    public var lines: [String] {
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
public struct CacheEntryReport: Sendable, Encodable {
    /// The key that the other commands accept.
    public var key: String
    public var id: Int64
    /// `damaged`, `pinned`, `live` or `expired`; the first that applies.
    public var state: String
    public var url: String
    public var host: String
    public var kind: String
    public var processor: String
    public var format: String?
    public var width: Int?
    public var height: Int?
    public var frames: Int?
    public var bytes: Int
    public var hits: Int
    public var ageSeconds: Int
    public var idleSeconds: Int
    public var expiresInSeconds: Int?
    public var isPinned: Bool
    public var sha256: String

    init(_ entry: CacheEntry, now: Date) {
        key = entry.name
        id = entry.id
        state = Self.state(entry, now)
        url = Redaction.display(entry.facts.url)
        host = entry.facts.host
        kind = entry.key.kind.rawValue
        processor = entry.key.processor
        format = entry.facts.format?.rawValue
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
    }

    private static func state(_ entry: CacheEntry, _ now: Date) -> String {
        if entry.damage != nil { return "damaged" }
        if entry.isPinned { return "pinned" }
        return entry.isAlive(at: now) ? "live" : "expired"
    }

    var pixels: String? { width.flatMap { width in height.map { "\(width)×\($0)" } } }

    /// One line: key, state, size, format, pixels, hits, last use, address.
    public var line: String {
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
public struct RemovalReport: Sendable, Encodable {
    public var entries: Int
    public var bytes: Int
    public var isDryRun: Bool

    public init(_ amount: CacheAmount, isDryRun: Bool) {
        entries = amount.entries
        bytes = amount.bytes
        self.isDryRun = isDryRun
    }
}

/// The number of entries that were pinned or unpinned.
public struct PinReport: Sendable, Encodable {
    public var entries: Int
    public var isPinned: Bool

    public var line: String {
        "\(isPinned ? "Pinned" : "Unpinned") \(Units.count(entries)) \(entries == 1 ? "entry" : "entries")."
    }
}

extension CacheAmount {
    /// The amount in words, such as `412 entries, 1.4 GiB`.
    public var summary: String {
        "\(Units.count(entries)) \(entries == 1 ? "entry" : "entries"), \(Units.bytes(bytes))"
    }
}
