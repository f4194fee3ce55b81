/// What the caches may answer and keep.
public struct CacheOptions: Sendable {
    /// Holds processed pictures; the pipeline's own when nil, the default.
    public var targetCache: ImageCache?
    /// Holds original bytes; the target cache when nil, the default.
    public var originalCache: ImageCache?
    /// Skips every look-up, still stores; off by default.
    public var forceRefresh = false
    /// Asks the server whether what lies on disk, expired or not, still holds, and fetches what does not; off by default.
    public var revalidates = false
    /// For how long after its end an original is still handed out where its server cannot be asked; nil, the default, for
    /// never.
    ///
    /// It cannot when it is not to be reached, does not answer, or says that it cannot just now (5xx, 429): what is
    /// "stale-if-error" in RFC 5861. One attempt is made then, and a host in trouble is not waited for.
    /// `ImageResult.expiredBecause` tells.
    public var servesExpired: Duration?
    /// Makes the processed picture anew from the original, wherever that is; off by default.
    public var reprocesses = false
    /// Looks into the memory and, on a miss there, fetches: the disk is not read, but written; off by default.
    public var fromMemoryCacheOrRefresh = false
    /// Makes a miss an `ImageError.cache(.imageNotExisting)`; off by default.
    public var onlyFromCache = false
    /// Neither writes the processed picture to disk nor looks for it there; off by default.
    ///
    /// Without a processor the picture is its original, which is written none the less.
    public var cacheMemoryOnly = false
    /// Keeps the original bytes on disk beside the processed picture; off by default.
    ///
    /// Another processor then needs no transfer.
    public var cacheOriginalImage = false
    /// Answers only when the processed picture is stored, and tells in `ImageResult.storeProblem` when that failed; off
    /// by default.
    public var waitForCache = false
    /// Makes a prefetch fill the memory too; off by default.
    ///
    /// A processed picture goes to memory in any case.
    public var alsoPrefetchToMemory = false
    /// Turns processed pictures into the bytes of the disk and back; `DefaultCacheSerializer` by default.
    public var serializer: any CacheSerializer = DefaultCacheSerializer()
    /// The memory tier's own when nil, the default; `.expired` does not store.
    public var memoryCacheExpiration: StorageExpiration?
    /// The disk tier's own when nil, the default; `.expired` does not store.
    public var diskCacheExpiration: StorageExpiration?
    /// Whether a look at the original counts as one; not where it is only read to make something of it.
    var notesUse = true
    /// Whether what has expired will do, as its server could not be asked just now.
    var takesExpired = false
    /// What a hit in memory does to the picture's life; `.cacheTime` by default.
    public var memoryCacheAccessExtendingExpiration = ExpirationExtending.cacheTime
    /// What a hit on disk does to the entry's life; `.cacheTime` by default.
    public var diskCacheAccessExtendingExpiration = ExpirationExtending.cacheTime
    /// How bytes are written; none by default: whole or not at all, but not forced to the platter.
    public var diskStoreWriteOptions: CacheWriteOptions = []
    /// The extension of the stored files, verbatim; nil, none, by default.
    public var forcedCacheFileExtension: String?

    public init() {}
}
