/// Options for reading from the caches and storing in them.
public struct CacheOptions: Sendable {
    /// The cache for processed images; the pipeline's cache if nil, the default.
    public var targetCache: ImageCache?
    /// The cache for original bytes; the target cache if nil, the default.
    public var originalCache: ImageCache?
    /// Skips every cache look-up, but still stores; off by default.
    public var forceRefresh = false
    /// Asks the server whether the bytes on disk, expired or not, are still valid, and fetches changed ones; off by
    /// default.
    public var revalidates = false
    /// The time after its expiration for which an original is still used if its server is unavailable.
    ///
    /// The default, nil, means never. A server is unavailable if it cannot be reached, does not answer, or reports a
    /// temporary problem (5xx, 429): `stale-if-error` in RFC 5861. Only one attempt is made, without waiting for a host
    /// that has failed before. `ImageResult.expiredBecause` contains the error.
    public var servesExpired: Duration?
    /// Processes the image again from the original, which may come from a cache; off by default.
    public var reprocesses = false
    /// Reads the memory and, on a miss, fetches; the disk is written but not read; off by default.
    public var fromMemoryCacheOrRefresh = false
    /// Throws `ImageError.cache(.imageNotExisting)` on a cache miss; off by default.
    public var onlyFromCache = false
    /// Neither stores the processed image on disk nor looks for it there; off by default.
    ///
    /// Originals are stored on disk only with `cacheOriginalImage`.
    public var cacheMemoryOnly = false
    /// Stores the original bytes on disk besides the processed image; off by default.
    ///
    /// Another processor then needs no transfer.
    public var cacheOriginalImage = false
    /// Returns only after the processed image is stored; off by default.
    ///
    /// `ImageResult.storeProblem` contains the error if the store failed.
    public var waitForCache = false
    /// Stores prefetched images in memory too; off by default.
    public var alsoPrefetchToMemory = false
    /// The conversion between processed images and bytes on disk; `DefaultCacheSerializer` by default.
    public var serializer: any CacheSerializer = DefaultCacheSerializer()
    /// The expiration in memory; the memory tier's own if nil, the default; `.expired` stores nothing.
    public var memoryCacheExpiration: StorageExpiration?
    /// The expiration on disk; the disk tier's own if nil, the default; `.expired` stores nothing.
    public var diskCacheExpiration: StorageExpiration?
    /// Whether reading the original counts as a use; false if it is only read to make a variant of it.
    var notesUse = true
    /// Whether expired entries are accepted, because the server is unavailable.
    var takesExpired = false
    /// The change of an image's expiration on a memory hit; `.cacheTime` by default.
    public var memoryCacheAccessExtendingExpiration = ExpirationExtending.cacheTime
    /// The change of an entry's expiration on a disk hit; `.cacheTime` by default.
    public var diskCacheAccessExtendingExpiration = ExpirationExtending.cacheTime
    /// The options for writing files; empty by default: writes are atomic, but not synchronized to the device.
    public var diskStoreWriteOptions: CacheWriteOptions = []
    /// The extension of the stored files, verbatim; nil, the default, adds none.
    public var forcedCacheFileExtension: String?

    public init() {}
}
