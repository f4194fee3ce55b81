import AlcedoBrowserCore
import AlcedoCacheScreen
import AlcedoComparison
import AlcedoFilters
import AlcedoLists
import AlcedoPrefetch
import AlcedoScreen
import AlcedoSupport
import FoundationEssentials
import ImageLoading
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

    package init(_ statistics: CacheStatistics, folder: String) {
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
        misses = life.missed
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
            "\(Units.count($0.value)) \(EvictionReason(rawValue: $0.key).map(CacheText.words) ?? $0.key)"
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
@dynamicMemberLookup
package struct CacheEntryReport: Sendable, Encodable {
    /// The fields that are not facts of the picture.
    package struct Entry: Sendable, Encodable {
        /// The key that the other commands accept.
        package var key: String
        package var id: Int64
        /// `damaged`, `pinned`, `live` or `expired`; the first that applies.
        package var state: String
        package var url: String
        /// The file that holds its bytes, for reading only.
        package var path: String?
        package var host: String
        package var kind: String
        package var processor: String
        package var bytes: Int
        package var hits: Int
        package var ageSeconds: Int
        package var idleSeconds: Int
        package var expiresInSeconds: Int?
        package var isPinned: Bool
        package var sha256: String
        package var mismatch, contentType: String?
    }

    private let entry: Entry
    /// The facts of the picture, which become fields of the same object.
    package let picture: PictureFacts

    package subscript<Value>(dynamicMember member: KeyPath<Entry, Value>) -> Value { entry[keyPath: member] }

    init(_ entry: CacheEntry, in disk: DiskStorage? = nil, now: Date) {
        let (facts, url) = (ImageFacts(entry), Redaction.display(entry.facts.url))
        picture = facts.picture
        self.entry = Entry(
            key: entry.name, id: entry.id, state: Self.state(entry, now), url: url, path: disk?.path(of: entry),
            host: entry.facts.host,
            kind: entry.key.kind.rawValue, processor: entry.key.processor, bytes: entry.length, hits: entry.hits,
            ageSeconds: now.timeIntervalSince(entry.stored).whole,
            idleSeconds: now.timeIntervalSince(entry.accessed).whole,
            expiresInSeconds: entry.isPinned ? nil : entry.expires.map { $0.timeIntervalSince(now).whole },
            isPinned: entry.isPinned, sha256: entry.digest,
            mismatch: facts.mismatch(address: url).map { SafeText.clean($0) },
            contentType: facts.contentType.map { SafeText.clean($0) })
    }

    package func encode(to encoder: any Encoder) throws {
        try entry.encode(to: encoder)
        try picture.encode(to: encoder)
    }

    /// The format; `unreadable` for bytes that are not a picture.
    var format: String? { picture.format?.rawValue ?? (picture.verdict == .unreadable ? "unreadable" : nil) }

    private static func state(_ entry: CacheEntry, _ now: Date) -> String {
        if entry.damage != nil { return "damaged" }
        if entry.isPinned { return "pinned" }
        return entry.isAlive(at: now) ? "live" : "expired"
    }

    var pixels: String? { picture.size.map { "\($0.width)×\($0.height)" } }

    /// One line: key, state, size, format, pixels, hits, last use, address.
    package var line: String {
        let columns = [
            Fitting.pad(entry.key, to: 19),
            entry.state == "live" ? "-" : String(entry.state.prefix(1)),
            Fitting.pad(Units.bytes(entry.bytes), to: 9, .trailing),
            Fitting.pad(format ?? "–", to: 5),
            Fitting.pad(pixels ?? "–", to: 11, .trailing),
            Fitting.pad("\(entry.hits)×", to: 6, .trailing),
            Fitting.pad(Units.duration(seconds: entry.idleSeconds), to: 7, .trailing),
            entry.url,
        ]
        return (entry.processor.isEmpty ? columns : columns + [entry.processor]).joined(separator: "  ")
    }

    /// The facts that tell an entry from others of its source, and its address if it is not theirs.
    fileprivate func variant(of address: String) -> String {
        [
            entry.kind, entry.processor, Units.bytes(entry.bytes), format ?? "", pixels ?? "", entry.key,
            entry.url == address ? "" : entry.url,
        ].filter { !$0.isEmpty }.joined(separator: ", ")
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

    package init(entries: Int, isPinned: Bool) { (self.entries, self.isPinned) = (entries, isPinned) }

    package var line: String {
        "\(isPinned ? "Pinned" : "Unpinned") \(Units.count(entries)) \(entries == 1 ? "entry" : "entries")."
    }
}

extension PictureFacts {
    /// The known facts that have a name on screens.
    package var labelled: [(name: String, value: String)] {
        PictureFact.all.compactMap { fact in
            fact.label.flatMap { label in fact.details(in: self).map { (label, $0.words) } }
        }
    }
}

extension FactValue {
    /// The value in words.
    fileprivate var words: String {
        switch self {
        case .text(let text): text
        case .number(let number): Units.count(number)
        case .flag(let flag): flag ? "yes" : "no"
        case .milliseconds(let number): Units.duration(milliseconds: number)
        case .hash(let hash): hash.description
        case .color(let color): color.description
        }
    }
}

extension CacheAmount {
    /// The amount in words, such as `412 entries, 1.4 GiB`.
    package var summary: String {
        "\(Units.count(entries)) \(entries == 1 ? "entry" : "entries"), \(Units.bytes(bytes))"
    }
}

/// All facts about a cache entry, as text lines and as JSON.
package struct CacheDetailsReport: Sendable, Encodable {
    package let entry: CacheEntryReport
    package let etag: String?
    package let lastModified: String?
    package let headers: [String]
    /// How long it took to create, in milliseconds.
    package let cost: Int
    package let damage: String?
    /// When it would be evicted, in words; nil if that is not known.
    package let eviction: String?
    /// The other entries of its source.
    package let variants: [CacheEntryReport]

    package init(
        _ entry: CacheEntry, in disk: DiskStorage, variants: [CacheEntry], place: EvictionPlace?, now: Date
    ) {
        self.entry = CacheEntryReport(entry, in: disk, now: now)
        etag = entry.facts.etag
        lastModified = entry.facts.lastModified
        headers = entry.facts.headers
        cost = entry.facts.cost
        damage = entry.damage
        eviction = place?.text
        self.variants = variants.map { CacheEntryReport($0, in: disk, now: now) }
    }

    private enum Keys: String, CodingKey {
        case etag, lastModified, headers, cost, damage, eviction, variants
    }

    /// Encodes the entry's own facts and the others in one object.
    package func encode(to encoder: any Encoder) throws {
        try entry.encode(to: encoder)
        var container = encoder.container(keyedBy: Keys.self)
        try container.encodeIfPresent(etag, forKey: .etag)
        try container.encodeIfPresent(lastModified, forKey: .lastModified)
        try container.encode(headers, forKey: .headers)
        try container.encode(cost, forKey: .cost)
        try container.encodeIfPresent(damage, forKey: .damage)
        try container.encodeIfPresent(eviction, forKey: .eviction)
        try container.encode(variants, forKey: .variants)
    }

    /// One line for each known fact.
    package var lines: [String] { facts.map { "\(Fitting.pad($0.name, to: 10)) \($0.value)" } }

    /// The known facts, the most important first.
    package var facts: [(name: String, value: String)] {
        let facts: [(String, String?)] = [
            ("address", entry.url), ("key", entry.key),
            ("kind", entry.processor.isEmpty ? entry.kind : "\(entry.kind): \(entry.processor)"),
            ("state", entry.state), ("damage", damage), ("picture", picture),
            ("size", "\(Units.bytes(entry.bytes)) (\(Units.count(entry.bytes)) bytes)"), ("used", use),
            ("expires", expiry), ("eviction", eviction), ("mismatch", entry.mismatch),
        ]
        let last: [(String, String?)] = [
            ("etag", etag), ("modified", lastModified), ("sha256", entry.sha256),
            ("cost", cost > 0 ? Units.duration(milliseconds: cost) : nil),
        ]
        let known = (facts + entry.picture.labelled + last).compactMap { name, value in value.map { (name, $0) } }
        return known + variants.map { ("variant", $0.variant(of: entry.url)) } + headers.map { ("header", $0) }
    }

    private var picture: String? {
        let frames = entry.picture.frames.flatMap { $0 > 1 ? "\($0) frames" : nil }
        let parts = [entry.format, entry.pixels, frames, entry.picture.color?.description]
        let known = parts.compactMap(\.self)
        return known.isEmpty ? nil : known.joined(separator: ", ")
    }

    private var use: String {
        let times = entry.hits == 1 ? "1 time" : "\(Units.count(entry.hits)) times"
        let (last, stored) = (Units.duration(seconds: entry.idleSeconds), Units.duration(seconds: entry.ageSeconds))
        return "\(times), last \(last) ago; stored \(stored) ago"
    }

    private var expiry: String {
        if entry.isPinned { return "never, it is pinned" }
        guard let seconds = entry.expiresInSeconds else { return "never" }
        return seconds > 0
            ? "in \(Units.duration(ahead: seconds))" : "\(Units.duration(seconds: -seconds)) ago"
    }
}

/// The result of verifying the whole cache, as text lines and as JSON.
package struct CacheVerificationReport: Sendable, Encodable {
    package struct Finding: Sendable, Encodable {
        package let kind: String
        package let subject: String
        package let detail: String
    }

    package let entries: Int
    package let bytes: Int
    package let damaged: Int
    package let missing: Int
    package let unused: Int
    package let indexFaults: Int
    package let isSound: Bool
    package let isRepaired: Bool
    package let findings: [Finding]

    package init(_ result: CacheVerification) {
        entries = result.checked.entries
        bytes = result.checked.bytes
        damaged = result.counts[.damaged] ?? 0
        missing = result.counts[.missing] ?? 0
        unused = result.counts[.unused] ?? 0
        indexFaults = result.counts[.index] ?? 0
        isSound = result.isSound
        isRepaired = result.isRepaired
        findings = result.findings.map {
            Finding(kind: $0.kind.rawValue, subject: Redaction.display($0.subject), detail: $0.detail)
        }
    }

    /// One line for each finding, then the totals.
    package var lines: [String] {
        let verdict = isSound ? "sound" : isRepaired ? "repaired" : "damaged; --repair fixes it"
        return findings.map { "\(Fitting.pad($0.kind, to: 8)) \($0.subject): \($0.detail)" } + [
            "checked \(CacheAmount(entries: entries, bytes: bytes).summary): \(Units.count(damaged)) damaged, "
                + "\(Units.count(missing)) missing, \(Units.count(unused)) unused files: \(verdict)"
        ]
    }
}

/// A group of duplicates, as text lines and as JSON.
package struct DuplicateReport: Sendable, Encodable {
    package struct Member: Sendable, Encodable {
        package let distance: Int?
        package let entry: CacheEntryReport
    }

    /// `identical` or `similar`.
    package let type: String
    /// The bytes of all pictures of a similar group but the first.
    package let spareBytes: Int
    package let pictures: [Member]

    /// A heading, and one line for each picture.
    package var lines: [String] {
        let spare = spareBytes > 0 ? ", \(Units.bytes(spareBytes)) beside the first" : ""
        let heading = "\(type): \(Units.count(pictures.count)) pictures\(spare)"
        return [heading]
            + pictures.map { member in
                let distance = member.distance.map { "\($0) bits" } ?? ""
                return "  \(Fitting.pad(distance, to: type == "similar" ? 8 : 0))\(member.entry.line)"
            }
    }
}

extension DiskStorage {
    /// Calls `body` with each group of identical and then of similar pictures among the entries that a filter selects.
    ///
    /// - Parameter distance: The bits in which hashes of similar pictures may differ, 0 to 15; nil for identical only.
    package func forEachDuplicate(
        filter: CacheFilter, within distance: Int?, _ body: (DuplicateReport) -> Void
    ) async throws(DiskCacheError) {
        let search = DuplicateSearch(try await pictureRows(filter))
        for group in search.identical() { try await report(group, "identical", body) }
        guard let distance else { return }
        for group in search.similar(within: distance) { try await report(group, "similar", body) }
    }

    private func report(
        _ group: DuplicateSearch.Group, _ type: String, _ body: (DuplicateReport) -> Void
    ) async throws(DiskCacheError) {
        let found = try await entries(ids: group.ids)
        let known = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        let members = group.ids.enumerated().compactMap { index, id in
            known[id].map {
                DuplicateReport.Member(
                    distance: group.distances?[index], entry: CacheEntryReport($0, in: self, now: Date()))
            }
        }
        // Entries may have been removed meanwhile.
        if members.count > 1 { body(DuplicateReport(type: type, spareBytes: group.spare, pictures: members)) }
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
