import Raster

/// The details of a cache entry; texts are sanitized.
package struct CacheRowDetails: Hashable, Sendable {
    /// The entry's name in commands.
    package var key: String
    package var address: String
    package var format: String
    package var digest: String
    /// The fault of a damaged entry; empty if there is none.
    package var damage: String
    package var etag: String
    package var lastModified: String
    /// Headers as `Name: value`.
    package var headers: [String]
    /// When the entry would be evicted.
    package var eviction: String
    /// Other entries of the same source, a line each.
    package var variants: [String]

    package init(
        key: String, address: String, format: String = "", digest: String = "", damage: String = "",
        etag: String = "", lastModified: String = "", headers: [String] = [], eviction: String = "",
        variants: [String] = []
    ) {
        self.key = key
        self.address = address
        self.format = format
        self.digest = digest
        self.damage = damage
        self.etag = etag
        self.lastModified = lastModified
        self.headers = headers
        self.eviction = eviction
        self.variants = variants
    }
}

/// A decoded picture of an entry.
package struct CachePreview: Hashable, Sendable {
    package var picture: PictureID
    package var size: PixelSize

    package init(picture: PictureID, size: PixelSize) {
        self.picture = picture
        self.size = size
    }
}

/// The statistics of the whole cache.
package struct CacheTotals: Hashable, Sendable {
    /// Counters over a period.
    package struct Tally: Hashable, Sendable {
        /// Look-ups by result: memory hits, disk hits, revalidated entries, misses.
        package var memory = 0
        package var disk = 0
        package var revalidated = 0
        package var missed = 0
        /// Bytes that needed no transfer.
        package var bytesSaved = 0
        package var damaged = 0
        /// The number of evictions by reason.
        package var evictions: [String: Int] = [:]

        package init() {}

        var hits: Int { memory + disk }
        var lookups: Int { memory + disk + revalidated + missed }
    }

    package var entries: Int
    package var bytes: Int
    /// The blocks that the contents occupy; the limit applies to them.
    package var space: Int
    package var limit: Int
    /// The size of the cache folder in its file system.
    package var diskBytes: Int
    /// The size of the memory tier; nil if it is unknown.
    package var memoryBytes: Int?
    package var memoryLimit: Int?
    /// The counters of this process, and of all processes over the cache's life.
    package var run: Tally
    package var life: Tally
    /// Entries that are evicted before all others, counted up to a thousand.
    package var damaged: Int
    package var expired: Int

    package init(
        entries: Int, bytes: Int, space: Int, limit: Int, diskBytes: Int = 0, memoryBytes: Int? = nil,
        memoryLimit: Int? = nil, run: Tally = Tally(), life: Tally = Tally(), damaged: Int = 0, expired: Int = 0
    ) {
        self.entries = entries
        self.bytes = bytes
        self.space = space
        self.limit = limit
        self.diskBytes = diskBytes
        self.memoryBytes = memoryBytes
        self.memoryLimit = memoryLimit
        self.run = run
        self.life = life
        self.damaged = damaged
        self.expired = expired
    }
}
