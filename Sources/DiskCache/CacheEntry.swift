import Foundation
import Raster

/// What kind of bytes an entry holds.
public enum CacheEntryKind: String, Sendable, Hashable, CaseIterable {
    /// As they came from the source.
    case original
    /// A processed picture, serialised.
    case processed
    /// A picture encoded for a terminal.
    case encoded
}

/// What names an entry.
public struct CacheEntryKey: Sendable, Hashable {
    /// The source's cache key.
    public var source: String
    /// Empty for an original.
    public var processor: String
    /// What kind of bytes; an original by default.
    public var kind: CacheEntryKind

    /// Names an entry; an original's unless a processor and a kind are given.
    public init(source: String, processor: String = "", kind: CacheEntryKind = .original) {
        self.source = source
        self.processor = processor
        self.kind = kind
    }

    /// Whether it names what others are made of.
    var isSource: Bool { kind == .original && processor.isEmpty }

    /// What people name the entry by: 12 hexadecimal digits for its source and 6 more for what was made of that.
    public var name: String { CacheEntryName(self).text }
}

/// What is known of an entry when it is stored.
public struct CacheEntryFacts: Sendable, Hashable {
    /// The name of the file format; nil when unknown.
    public var format: String?
    /// Upright, in pixels; nil when unknown.
    public var size: PixelSize?
    /// 1 for a still picture; nil when unknown.
    public var frames: Int?
    /// Where it came from, credentials and secrets removed.
    public var url: String
    /// Without a port; empty when there is none.
    public var host: String
    /// What the server named the bytes by; nil when it did not.
    public var etag: String?
    /// When the server said that they changed, in its own words; nil when it did not.
    public var lastModified: String?
    /// What the server said of the bytes, a header a line as `Name: value`; without cookies and the like.
    public var headers: [String]
    /// What making it took, in milliseconds.
    public var cost: Int

    /// Facts; what is not given is unknown.
    public init(
        format: String? = nil, size: PixelSize? = nil, frames: Int? = nil, url: String = "", host: String = "",
        etag: String? = nil, lastModified: String? = nil, headers: [String] = [], cost: Int = 0
    ) {
        self.format = format
        self.size = size
        self.frames = frames
        self.url = url
        self.host = host
        self.etag = etag
        self.lastModified = lastModified
        self.headers = headers
        self.cost = cost
    }
}

/// One row of the index.
public struct CacheEntry: Sendable, Hashable, Identifiable {
    public var id: Int64
    /// What names it; secret values of an address are left out, so that it need not find the entry again.
    public var key: CacheEntryKey
    /// Digests of the key as it was, by which the index finds the entry.
    var entryName: CacheEntryName
    /// What was known of it when it was stored.
    public var facts: CacheEntryFacts
    /// The content file's name: its digest and, where one was forced, a dot and an extension.
    public var contentName: String
    /// Bytes of the content.
    public var length: Int
    /// The source's key as the index may write it; nil where it is the address.
    var shownKey: String?
    /// When it was stored.
    public var stored: Date
    /// When it was last used; when it was stored, before the first use.
    public var accessed: Date
    /// When it is a miss; nil is never.
    public var expires: Date?
    /// How often it was used since it was stored.
    public var hits: Int
    /// Whether it is spared by expiry, eviction and sweeps.
    public var isPinned: Bool
    /// What a check found wrong with its content; nil when none did.
    public var damage: String?

    /// The SHA-256 of the content, in hexadecimal.
    public var digest: String { String(contentName.prefix(64)) }
    /// What people name it by: 12 hexadecimal digits for its source and 6 more for what was made of that.
    public var name: String { entryName.text }
    /// The name of its source's original.
    public var sourceName: String { entryName.sourceText }
    /// Whether a look-up finds it at a time.
    public func isAlive(at now: Date) -> Bool { isPinned || expires.map { $0 > now } ?? true }
}

extension CacheEntry {
    /// An entry that is stored now.
    init(
        key: CacheEntryKey, facts: CacheEntryFacts, content: ContentName, length: Int, now: Date,
        life: StorageExpiration
    ) {
        let address = AddressText.shown(facts.url)
        let shownKey = key.source == facts.url ? address : AddressText.shown(key.source)
        var facts = facts
        facts.url = address
        self.init(
            id: 0, key: key, entryName: CacheEntryName(key), facts: facts, contentName: content.text, length: length,
            stored: now, accessed: now, expires: life.date(from: now), hits: 0, isPinned: false)
        self.shownKey = shownKey == address ? nil : shownKey
    }
}
