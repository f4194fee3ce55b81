/// How one picture is loaded, in small groups; the defaults are the library's.
///
/// Groups: what the caches answer and keep, how bytes are fetched, what is done between bytes and picture, what is
/// handed out and where, and how it takes its place on a screen.
///
/// Where options meet, in this order:
/// 1. `forceRefresh` skips every look-up, so it wins over `onlyFromCache` and `fromMemoryCacheOrRefresh`.
/// 2. `onlyFromCache` forbids the network, so alternatives, retries and `fromMemoryCacheOrRefresh`'s fetch do not
///    happen: a miss is the error.
/// 3. `cacheMemoryOnly` keeps the processed picture off the disk; `cacheOriginalImage` writes the original none the
///    less.
/// 4. On a constrained network `lowDataSource` takes the source's place; the alternatives come after it.
/// 5. Each source has its own retries; a cancel ends everything at once.
/// 6. A picture on show is kept instead of the placeholder, until the new one or `onFailureImage` takes its place.
/// 7. A transition runs for what no cache had, and with `forceTransition` for everything.
public struct ImageOptions: Sendable {
    /// What the caches may answer and keep.
    @Shared public var cache = CacheOptions()
    /// How bytes are fetched.
    @Shared public var download = DownloadOptions()
    /// What is done between bytes and picture.
    @Shared public var process = ProcessOptions()
    /// What is handed out, and where.
    @Shared public var delivery = DeliveryOptions()
    /// How the picture takes its place on a screen.
    @Shared public var display = DisplayOptions()

    public init() {}
}
