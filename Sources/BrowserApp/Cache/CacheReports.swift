import BrowserCore
import Foundation
import ImageLoading
import Raster

/// The cache in numbers, for people and as JSON.
public struct CacheStatisticsReport: Sendable, Encodable {
    public var folder: String
    public var entries: Int
    public var bytes: Int
    public var limit: Int
    public var hits: Int
    public var misses: Int
    public var bytesSaved: Int
    public var evictions: Int
    public var damaged: Int

    init(_ statistics: CacheStatistics, folder: String) {
        self.folder = folder
        entries = statistics.entries
        bytes = statistics.bytes
        limit = statistics.limit
        hits = statistics.hits
        misses = statistics.misses
        bytesSaved = statistics.bytesSaved
        evictions = statistics.evictions
        damaged = statistics.damaged
    }

    /// One fact a line.
    public var lines: [String] {
        let lookups = hits + misses
        let rate = lookups == 0 ? "none yet" : "\(Units.percent(hits, of: lookups)) of \(Units.count(lookups)) look-ups"
        return [
            "folder     \(folder)",
            "entries    \(Units.count(entries))",
            "size       \(Units.bytes(bytes)) of \(Units.bytes(limit))",
            "hits       \(rate)",
            "saved      \(Units.bytes(bytesSaved)) of transfers",
            "evicted    \(Units.count(evictions))",
            "damaged    \(Units.count(damaged))",
        ]
    }
}

/// One entry, for people and as JSON.
public struct CacheEntryReport: Sendable, Encodable {
    public var id: Int64
    public var url: String
    public var host: String
    public var kind: String
    public var processor: String
    public var format: String?
    public var width: Int?
    public var height: Int?
    public var bytes: Int
    public var hits: Int
    public var ageSeconds: Int
    public var idleSeconds: Int
    public var expiresInSeconds: Int?
    public var isPinned: Bool
    public var sha256: String

    init(_ entry: CacheEntry, now: Date) {
        id = entry.id
        url = Redacted.text(entry.facts.url)
        host = entry.facts.host
        kind = entry.key.kind.rawValue
        processor = entry.key.processor
        format = entry.facts.format?.rawValue
        width = entry.facts.size?.width
        height = entry.facts.size?.height
        bytes = entry.length
        hits = entry.hits
        ageSeconds = Int(clamping: Int64(now.timeIntervalSince(entry.stored)))
        idleSeconds = Int(clamping: Int64(now.timeIntervalSince(entry.accessed)))
        expiresInSeconds = entry.expires.map { Int(clamping: Int64($0.timeIntervalSince(now))) }
        isPinned = entry.isPinned
        sha256 = entry.digest
    }

    /// One line: size, picture, hits, last use, address.
    public var line: String {
        let size = width.flatMap { width in height.map { "\(width)×\($0)" } } ?? "–"
        let columns = [
            Fitting.pad(Units.bytes(bytes), to: 9, .trailing),
            Fitting.pad(format ?? "–", to: 5),
            Fitting.pad(size, to: 11, .trailing),
            Fitting.pad("\(hits)×", to: 6, .trailing),
            Fitting.pad(Units.duration(seconds: idleSeconds), to: 7, .trailing),
            url,
        ]
        return (processor.isEmpty ? columns : columns + [processor]).joined(separator: "  ")
    }
}

/// What a removal took away, or would.
public struct RemovalReport: Sendable, Encodable {
    public var entries: Int
    public var bytes: Int
    public var isDryRun: Bool

    public init(_ selection: CacheSelection, isDryRun: Bool) {
        entries = selection.count
        bytes = selection.bytes
        self.isDryRun = isDryRun
    }
}

extension CacheSelection {
    /// `412 entries, 1.4 GiB`.
    public var summary: String {
        "\(Units.count(count)) \(count == 1 ? "entry" : "entries"), \(Units.bytes(bytes))"
    }
}
