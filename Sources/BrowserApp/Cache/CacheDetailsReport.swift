import BrowserCore
import Foundation
import ImageLoading
import Lists

/// All facts about a cache entry, as text lines and as JSON.
package struct CacheDetailsReport: Sendable, Encodable {
    package let entry: CacheEntryReport
    package let etag: String?
    package let lastModified: String?
    package let headers: [String]
    /// How long it took to create, in milliseconds.
    package let cost: Int
    package let damage: String?
    /// When it would be evicted, in words.
    package let eviction: String
    /// The other entries of its source.
    package let variants: [CacheEntryReport]

    init(_ entry: CacheEntry, variants: [CacheEntry], place: EvictionPlace, now: Date) {
        self.entry = CacheEntryReport(entry, now: now)
        etag = entry.facts.etag
        lastModified = entry.facts.lastModified
        headers = entry.facts.headers
        cost = entry.facts.cost
        damage = entry.damage
        eviction = place.text
        self.variants = variants.map { CacheEntryReport($0, now: now) }
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
        try container.encode(eviction, forKey: .eviction)
        try container.encode(variants, forKey: .variants)
    }

    /// One line for each known fact.
    package var lines: [String] {
        let facts: [(String, String?)] = [
            ("address", entry.url), ("key", entry.key), ("kind", entry.kind),
            ("processor", entry.processor.isEmpty ? nil : entry.processor),
            ("state", damage.map { "damaged: \($0)" } ?? entry.state),
            ("size", "\(Units.bytes(entry.bytes)) (\(Units.count(entry.bytes)) bytes)"),
            ("picture", picture), ("colors", entry.color?.description),
            ("alpha", entry.alpha.map { $0 ? "yes" : "no" }),
            ("duration", entry.durationMs.map { Units.duration(milliseconds: $0) }),
            ("rotation", entry.orientation.flatMap { $0 == 1 ? nil : "EXIF \($0), applied" }),
            ("verdict", entry.verdict),
            ("mismatch", entry.mismatch), ("sha256", entry.sha256), ("phash", entry.phash),
            ("stored", "\(Units.duration(seconds: entry.ageSeconds)) ago"),
            ("used", "\(Units.count(entry.hits)) times, last \(Units.duration(seconds: entry.idleSeconds)) ago"),
            ("expires", expiry), ("cost", cost > 0 ? Units.duration(milliseconds: cost) : nil), ("etag", etag),
            ("modified", lastModified), ("eviction", eviction),
        ]
        let known = facts.compactMap { name, value in value.map { "\(Fitting.pad(name, to: 10)) \($0)" } }
        return known + headers.map { "header     \($0)" } + variants.map { "variant    \($0.line)" }
    }

    private var picture: String? {
        let parts = [entry.format, entry.pixels, entry.frames.flatMap { $0 > 1 ? "\($0) frames" : nil }]
        let known = parts.compactMap(\.self)
        return known.isEmpty ? nil : known.joined(separator: ", ")
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

    init(_ result: CacheVerification) {
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
