/// What a cache had for a look-up.
public enum ImageCacheResult: Sendable, Hashable {
    case memory(Image)
    case disk(Image)
    case none

    /// The picture; nil for a miss.
    public var image: Image? {
        switch self {
        case .memory(let image), .disk(let image): image
        case .none: nil
        }
    }

    /// The tier that had it; `.none` for a miss.
    public var cacheType: ImageCache.CacheType {
        switch self {
        case .memory: .memory
        case .disk: .disk
        case .none: .none
        }
    }
}

/// How a look-up treats what it finds.
public struct CacheRetrieveOptions: Sendable, Hashable {
    /// What a hit in memory does to the picture's life; `.cacheTime` by default.
    public var memoryExtending = ExpirationExtending.cacheTime
    /// What a hit on disk does to the entry's life; `.cacheTime` by default.
    public var diskExtending = ExpirationExtending.cacheTime
    /// How long a picture from the disk lives in memory; the memory tier's own by default, `.expired` keeps it out.
    public var memoryExpiration: StorageExpiration?

    public init(
        memoryExtending: ExpirationExtending = .cacheTime, diskExtending: ExpirationExtending = .cacheTime,
        memoryExpiration: StorageExpiration? = nil
    ) {
        self.memoryExtending = memoryExtending
        self.diskExtending = diskExtending
        self.memoryExpiration = memoryExpiration
    }
}

/// How a picture is stored.
public struct CacheStoreOptions: Sendable, Hashable {
    /// The tiers' own when nil, the default; `.expired` does not store.
    public var memoryExpiration: StorageExpiration?
    /// On disk: the tier's own when nil, the default; `.expired` does not store.
    public var diskExpiration: StorageExpiration?
    /// None by default.
    public var writeOptions: CacheWriteOptions
    /// The content file's, verbatim; none by default.
    public var forcedExtension: String?

    public init(
        memoryExpiration: StorageExpiration? = nil, diskExpiration: StorageExpiration? = nil,
        writeOptions: CacheWriteOptions = [], forcedExtension: String? = nil
    ) {
        self.memoryExpiration = memoryExpiration
        self.diskExpiration = diskExpiration
        self.writeOptions = writeOptions
        self.forcedExtension = forcedExtension
    }
}
