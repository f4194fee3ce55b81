/// The result of a cache look-up.
public enum ImageCacheResult: Sendable, Hashable {
    case memory(Image)
    case disk(Image)
    case none

    /// The image; nil on a miss.
    public var image: Image? {
        switch self {
        case .memory(let image), .disk(let image): image
        case .none: nil
        }
    }

    /// The tier that had the image; `.none` on a miss.
    public var cacheType: ImageCache.CacheType {
        switch self {
        case .memory: .memory
        case .disk: .disk
        case .none: .none
        }
    }
}

/// Options for a cache look-up.
public struct CacheRetrieveOptions: Sendable, Hashable {
    /// The change of an image's expiration on a memory hit; `.cacheTime` by default.
    public var memoryExtending = ExpirationExtending.cacheTime
    /// The change of an entry's expiration on a disk hit; `.cacheTime` by default.
    public var diskExtending = ExpirationExtending.cacheTime
    /// The expiration in memory of an image from the disk; the memory tier's own by default, `.expired` stores nothing.
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

/// Options for storing an image.
public struct CacheStoreOptions: Sendable, Hashable {
    /// The expiration in memory; the tier's own if nil, the default; `.expired` stores nothing.
    public var memoryExpiration: StorageExpiration?
    /// The expiration on disk; the tier's own if nil, the default; `.expired` stores nothing.
    public var diskExpiration: StorageExpiration?
    /// The options for writing the file; empty by default.
    public var writeOptions: CacheWriteOptions
    /// The extension of the content file, verbatim; none by default.
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
