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
    /// Eight hundred bytes, which every step of a load would carry along.
    private struct Groups {
        var cache = CacheOptions()
        var download = DownloadOptions()
        var process = ProcessOptions()
        var delivery = DeliveryOptions()
        var display = DisplayOptions()
    }

    private var groups = Shared(Groups())

    /// What the caches may answer and keep.
    public var cache: CacheOptions {
        get { groups.value.cache }
        set { groups.value.cache = newValue }
    }

    /// How bytes are fetched.
    public var download: DownloadOptions {
        get { groups.value.download }
        set { groups.value.download = newValue }
    }

    /// What is done between bytes and picture.
    public var process: ProcessOptions {
        get { groups.value.process }
        set { groups.value.process = newValue }
    }

    /// What is handed out, and where.
    public var delivery: DeliveryOptions {
        get { groups.value.delivery }
        set { groups.value.delivery = newValue }
    }

    /// How the picture takes its place on a screen.
    public var display: DisplayOptions {
        get { groups.value.display }
        set { groups.value.display = newValue }
    }

    public init() {}
}
