import Foundation
import Raster

/// The kind of bytes that an entry holds.
package enum CacheEntryKind: String, Sendable, Hashable, CaseIterable {
    /// The bytes as the source sent them.
    case original
    /// A processed picture, serialised.
    case processed
    /// A picture encoded for a terminal.
    case encoded
}

/// The key of an entry.
public struct CacheEntryKey: Sendable, Hashable {
    /// The source's cache key.
    public var source: String
    /// The processor's identifier; empty for an original.
    public var processor: String
    /// The kind of bytes; an original by default.
    package var kind: CacheEntryKind

    /// Creates a key; that of an original unless a processor and a kind are given.
    package init(source: String, processor: String = "", kind: CacheEntryKind = .original) {
        self.source = source
        self.processor = processor
        self.kind = kind
    }

    /// Whether the key is that of an original, from which other entries are derived.
    var isSource: Bool { kind == .original && processor.isEmpty }

    /// The display name: 12 hexadecimal digits for the source and, for a derived entry, a dash and 6 more.
    public var name: String { CacheEntryName(self).text }
}

/// The metadata of an entry at the time of its store.
public struct CacheEntryFacts: Sendable, Hashable {
    /// The name of the file format; nil if unknown.
    public var format: String?
    /// The size after the orientation is applied, in pixels; nil if unknown.
    public var size: PixelSize?
    /// The number of frames, 1 for a still picture; nil if unknown.
    public var frames: Int?
    /// The result of the check of the pixels, a word; nil if unknown.
    public var verdict: String?
    /// The perceptual hash of the picture; nil if unknown.
    public var hash: UInt64?
    /// Whether a pixel of the picture is transparent; nil if unknown.
    public var hasAlpha: Bool?
    /// The length of one play of an animation, in milliseconds; nil for a still picture and if unknown.
    public var duration: Int?
    /// The EXIF orientation that the file states, 1 to 8; nil if unknown.
    public var orientation: Int?
    /// The colours of the file, as `ColorFacts.description`; nil if unknown.
    public var color: String?
    /// The address of the source, without credentials and secrets once it is stored.
    public var url: String
    /// The host without a port; empty if there is none.
    public var host: String
    /// The entity tag from the server; nil if it sent none.
    public var etag: String?
    /// The modification date as the server wrote it; nil if it sent none.
    public var lastModified: String?
    /// The response headers, one string `Name: value` each, without cookies and other private ones.
    public var headers: [String]
    /// The time that it took to produce the bytes, in milliseconds.
    public var cost: Int

    /// Creates metadata; omitted values are unknown.
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

    /// Returns the media type among header lines; nil if there is none.
    package static func contentType(among headers: [String]) -> String? {
        let line = headers.first { $0.lowercased().hasPrefix("content-type:") }
        return line.map { $0.dropFirst("content-type:".count).trimmingCharacters(in: .whitespaces) }
    }
}

/// A row of the index.
public struct CacheEntry: Sendable, Hashable, Identifiable {
    public var id: Int64
    /// The key without secret values of an address, so it may not find the entry again.
    public var key: CacheEntryKey
    /// The digests of the original key, by which the index finds the entry.
    var entryName: CacheEntryName
    /// The metadata at the time of the store.
    public var facts: CacheEntryFacts
    /// The name of the content file: its digest and, if one was forced, a dot and an extension.
    public var contentName: String
    /// The length of the content in bytes.
    public var length: Int
    /// The source's key without secrets, as the index stores it; nil if it equals the address.
    var shownKey: String?
    /// The time of the store.
    public var stored: Date
    /// The time of the last use, at first that of the store.
    public var accessed: Date
    /// The time of expiry; nil for never.
    public var expires: Date?
    /// The number of uses since the store.
    public var hits: Int
    /// Whether the entry is exempt from expiry, eviction and sweeps.
    public var isPinned: Bool
    /// The damage that a verification found; nil if none.
    public var damage: String?

    /// The SHA-256 of the content, in hexadecimal.
    public var digest: String { String(contentName.prefix(64)) }
    /// The display name: 12 hexadecimal digits for the source and, for a derived entry, a dash and 6 more.
    public var name: String { entryName.text }
    /// The display name of the source's original.
    public var sourceName: String { entryName.sourceText }
    /// Returns whether the entry is pinned or not expired at a time.
    public func isAlive(at now: Date) -> Bool { isPinned || expires.map { $0 > now } ?? true }
}

extension CacheEntry {
    /// Creates an entry that is stored now.
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
