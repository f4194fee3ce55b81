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
    public var source: String
    /// Empty for an original.
    public var processor: String
    public var kind: CacheEntryKind

    public init(source: String, processor: String = "", kind: CacheEntryKind = .original) {
        self.source = source
        self.processor = processor
        self.kind = kind
    }
}

/// What is known of an entry when it is stored.
public struct CacheEntryFacts: Sendable, Hashable {
    public var format: ImageFormat?
    public var size: PixelSize?
    public var frames: Int?
    /// Where it came from, credentials and secrets removed.
    public var url: String
    public var host: String
    public var etag: String?
    public var lastModified: String?
    /// What making it took, in milliseconds.
    public var cost: Int

    public init(
        format: ImageFormat? = nil, size: PixelSize? = nil, frames: Int? = nil, url: String = "", host: String = "",
        etag: String? = nil, lastModified: String? = nil, cost: Int = 0
    ) {
        self.format = format
        self.size = size
        self.frames = frames
        self.url = url
        self.host = host
        self.etag = etag
        self.lastModified = lastModified
        self.cost = cost
    }
}

/// One row of the index.
public struct CacheEntry: Sendable, Hashable, Identifiable {
    public var id: Int64
    public var key: CacheEntryKey
    public var facts: CacheEntryFacts
    /// The content file's name: its digest and, where one was forced, a dot and an extension.
    public var contentName: String
    public var length: Int
    public var stored: Date
    public var accessed: Date
    public var expires: Date?
    public var hits: Int
    public var isPinned: Bool

    /// The SHA-256 of the content, in hexadecimal.
    public var digest: String { String(contentName.prefix(64)) }
}

extension CacheEntry {
    /// An entry that is stored now.
    init(
        key: CacheEntryKey, facts: CacheEntryFacts, content: ContentName, length: Int, now: Date,
        life: StorageExpiration
    ) {
        self.init(
            id: 0, key: key, facts: facts, contentName: content.text, length: length, stored: now, accessed: now,
            expires: life.date(from: now), hits: 0, isPinned: false)
    }
}

/// The whole disk tier in numbers.
public struct CacheStatistics: Sendable, Hashable {
    public var entries = 0
    /// Bytes of content files; equal contents count once.
    public var bytes = 0
    public var limit = 0
    /// Over the cache's life.
    public var hits = 0
    public var misses = 0
    public var bytesSaved = 0
    public var evictions = 0
    public var damaged = 0

    public init() {}
}
