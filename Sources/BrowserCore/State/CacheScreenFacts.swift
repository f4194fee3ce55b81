import Raster

/// What is known of an entry beyond its row; texts are sanitised.
package struct CacheRowDetails: Hashable, Sendable {
    /// What the commands know it by.
    package var key: String
    package var address: String
    package var format: String
    package var digest: String
    /// What is wrong with it; empty when nothing is.
    package var damage: String
    package var etag: String
    package var lastModified: String
    /// As `Name: value`.
    package var headers: [String]
    /// When it would go for want of room.
    package var eviction: String
    /// What else there is of its source, a line each.
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

/// The whole cache in numbers.
package struct CacheTotals: Hashable, Sendable {
    /// What was counted over some time.
    package struct Tally: Hashable, Sendable {
        /// Look-ups that the memory answered, that the disk answered, whose bytes still held as the server said, and
        /// those that needed a transfer.
        package var memory = 0
        package var disk = 0
        package var revalidated = 0
        package var missed = 0
        /// Bytes that needed no transfer.
        package var bytesSaved = 0
        package var damaged = 0
        /// How many entries had to go, by why.
        package var evictions: [String: Int] = [:]

        package init() {}

        var hits: Int { memory + disk }
        var lookups: Int { memory + disk + revalidated + missed }
    }

    package var entries: Int
    package var bytes: Int
    /// Of the contents in whole blocks, which the limit is about.
    package var space: Int
    package var limit: Int
    /// What the folder takes of its file system.
    package var diskBytes: Int
    /// Of the memory tier; nil where there is none to tell of.
    package var memoryBytes: Int?
    package var memoryLimit: Int?
    /// Of this process, and of all over the cache's life.
    package var run: Tally
    package var life: Tally
    /// Entries that go before all others, counted up to a thousand.
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
