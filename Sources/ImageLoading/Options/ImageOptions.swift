import Retrying

/// How one picture is loaded, in small groups; the defaults are the library's.
public struct ImageOptions: Sendable {
    public var cache = CacheOptions()
    public var download = DownloadOptions()
    public var process = ProcessOptions()

    public init() {}
}

/// What the caches may answer and keep.
public struct CacheOptions: Sendable {
    /// Skips every look-up, still stores; off by default, wins over `onlyFromCache`.
    public var forceRefresh = false
    /// Makes a miss an `ImageError.cache(.imageNotExisting)`; off by default.
    public var onlyFromCache = false
    /// Does not write the processed picture to disk; off by default.
    public var cacheMemoryOnly = false
    /// Keeps the original bytes on disk beside the processed picture; off by default.
    ///
    /// Another processor then needs no transfer.
    public var cacheOriginalImage = false
    /// The cache's own when nil, the default.
    public var diskCacheExpiration: StorageExpiration?

    public init() {}
}

/// How bytes are fetched.
public struct DownloadOptions: Sendable {
    /// 0…1, 0.5 by default; higher is sooner.
    public var priority = 0.5
    /// Sent to the source's own origin only.
    public var headers: [HeaderField] = []
    /// Tries failed transfers again; nil by default, one attempt.
    public var retryStrategy: (any RetryStrategy)?
    /// The longest delay that a server may ask for and is waited for, 60 s by default; where it asks for more, the
    /// transfer fails.
    public var serverDelayLimit = Duration.seconds(60)

    public init() {}
}

/// One request header.
public struct HeaderField: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// What is done between bytes and picture.
public struct ProcessOptions: Sendable {
    /// `DefaultImageProcessor` by default: nothing.
    public var processor: any ImageProcessor = DefaultImageProcessor()
    /// 64 MiB, 16,384 pixels a side, 100 million pixels by default.
    public var limits = DecodeLimits.standard

    public init() {}
}
