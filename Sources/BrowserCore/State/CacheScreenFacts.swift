import Raster

/// What is known of an entry beyond its row; texts are sanitised.
public struct CacheRowDetails: Hashable, Sendable {
    /// What the commands know it by.
    public var key: String
    public var address: String
    public var format: String
    public var digest: String
    /// What is wrong with it; empty when nothing is.
    public var damage: String
    public var etag: String
    public var lastModified: String
    /// As `Name: value`.
    public var headers: [String]
    /// When it would go for want of room.
    public var eviction: String
    /// What else there is of its source, a line each.
    public var variants: [String]

    public init(
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
public struct CachePreview: Hashable, Sendable {
    public var picture: PictureID
    public var size: PixelSize

    public init(picture: PictureID, size: PixelSize) {
        self.picture = picture
        self.size = size
    }
}

/// The whole cache in numbers.
public struct CacheTotals: Hashable, Sendable {
    /// What was counted over some time.
    public struct Tally: Hashable, Sendable {
        /// Look-ups that the memory answered, that the disk answered, whose bytes still held as the server said, and
        /// those that needed a transfer.
        public var memory = 0
        public var disk = 0
        public var revalidated = 0
        public var missed = 0
        /// Bytes that needed no transfer.
        public var bytesSaved = 0
        public var damaged = 0
        /// How many entries had to go, by why.
        public var evictions: [String: Int] = [:]

        public init() {}

        var hits: Int { memory + disk }
        var lookups: Int { memory + disk + revalidated + missed }
    }

    public var entries: Int
    public var bytes: Int
    /// Of the contents in whole blocks, which the limit is about.
    public var space: Int
    public var limit: Int
    /// What the folder takes of its file system.
    public var diskBytes: Int
    /// Of the memory tier; nil where there is none to tell of.
    public var memoryBytes: Int?
    public var memoryLimit: Int?
    /// Of this process, and of all over the cache's life.
    public var run: Tally
    public var life: Tally
    /// Entries that go before all others, counted up to a thousand.
    public var damaged: Int
    public var expired: Int

    public init(
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
