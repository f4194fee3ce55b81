/// Options for reading from the caches and storing in them.
public struct CacheOptions: Sendable {
    /// The cache for processed images; the pipeline's cache if nil, the default.
    public var targetCache: ImageCache?
    /// The cache for original bytes; the target cache if nil, the default.
    public var originalCache: ImageCache?
    /// Whether every cache look-up is skipped; false by default.
    ///
    /// Fetched images are still stored.
    public var forceRefresh = false
    /// Whether the server is asked whether the bytes on disk are still valid; false by default.
    ///
    /// This applies to all bytes on disk, expired or not. Changed bytes are fetched.
    public var revalidates = false
    /// The time after its expiration for which an original is still used if its server is unavailable.
    ///
    /// The default, nil, means never. A server is unavailable if it cannot be reached, does not answer, or reports a
    /// temporary problem (5xx, 429): `stale-if-error` in RFC 5861. Only one attempt is made, without waiting for a host
    /// that has failed before. `ImageResult.expiredBecause` contains the error.
    public var expiredGracePeriod: Duration?
    /// Whether the image is processed again from the original, which may come from a cache; false by default.
    public var reprocesses = false
    /// Whether only the memory is read before a fetch; false by default.
    ///
    /// The disk is written, but not read.
    public var fromMemoryCacheOrRefresh = false
    /// Whether a cache miss is an error, `ImageError.cache(.imageNotExisting)`, instead of a fetch; false by default.
    public var onlyFromCache = false
    /// Whether the processed image is not stored on disk; false by default.
    ///
    /// An entry that is there is used. Originals are stored on disk only with `cacheOriginalImage`.
    public var cacheMemoryOnly = false
    /// Whether the original bytes are stored on disk besides the processed image; false by default.
    ///
    /// Another processor then needs no transfer.
    public var cacheOriginalImage = false
    /// Whether a load returns only after the processed image is stored; false by default.
    ///
    /// `ImageResult.storeProblem` contains the error if the store failed.
    public var waitForCache = false
    /// Whether prefetched images are stored in memory too; false by default.
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
