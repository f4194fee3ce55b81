import Raster
import Retrying

/// One option in the literal syntax, `[.processor(p), .cacheOriginalImage]`; a later item overrides an earlier one.
///
/// Unless stated otherwise, each item sets the property of the same name in a group of `ImageOptions`; that property
/// documents the meaning and the default. An item without a value sets the property to true.
public struct ImageOptionsItem: Sendable {
    let apply: @Sendable (inout ImageOptions) -> Void

    /// Sets the cache for processed images.
    public static func targetCache(_ cache: ImageCache) -> Self { .init { $0.cache.targetCache = cache } }
    /// Sets the cache for original files.
    public static func originalCache(_ cache: ImageCache) -> Self { .init { $0.cache.originalCache = cache } }
    /// Loads from the source, whatever the cache has.
    public static var forceRefresh: Self { .init { $0.cache.policy = .reload } }
    /// Takes a processed image from memory only, or loads again.
    public static var fromMemoryCacheOrRefresh: Self {
        .init { if $0.cache.policy == .cacheFirst { $0.cache.policy = .memoryFirst } }
    }
    /// Fails without a transfer if no tier has the image.
    public static var onlyFromCache: Self {
        .init { if $0.cache.policy != .reload { $0.cache.policy = .cacheOnly } }
    }
    /// Leaves the disk out.
    public static var cacheMemoryOnly: Self { .init { $0.cache.cacheMemoryOnly = true } }
    /// Stores the original file besides the processed image.
    public static var cacheOriginalImage: Self { .init { $0.cache.cacheOriginalImage = true } }
    /// Returns after the image is stored.
    public static var waitForCache: Self { .init { $0.cache.waitForCache = true } }
    /// Sets for how long an expired image may stand in for one that cannot be loaded.
    public static func expiredGracePeriod(_ time: Duration) -> Self { .init { $0.cache.expiredGracePeriod = time } }
    /// Puts prefetched images into memory, too.
    public static var alsoPrefetchToMemory: Self { .init { $0.cache.alsoPrefetchToMemory = true } }
    /// Sets `CacheOptions.serializer`.
    public static func cacheSerializer(_ serializer: any CacheSerializer) -> Self {
        .init { $0.cache.serializer = serializer }
    }
    /// Sets the lifetime in memory.
    public static func memoryCacheExpiration(_ expiration: StorageExpiration) -> Self {
        .init { $0.cache.memoryCacheExpiration = expiration }
    }
    /// Sets the lifetime on the disk.
    public static func diskCacheExpiration(_ expiration: StorageExpiration) -> Self {
        .init { $0.cache.diskCacheExpiration = expiration }
    }
    /// Sets how a use extends the lifetime in memory.
    public static func memoryCacheAccessExtendingExpiration(_ extending: ExpirationExtending) -> Self {
        .init { $0.cache.memoryCacheAccessExtendingExpiration = extending }
    }
    /// Sets how a use extends the lifetime on the disk.
    public static func diskCacheAccessExtendingExpiration(_ extending: ExpirationExtending) -> Self {
        .init { $0.cache.diskCacheAccessExtendingExpiration = extending }
    }
    /// Sets how files are written.
    public static func diskStoreWriteOptions(_ options: CacheWriteOptions) -> Self {
        .init { $0.cache.diskStoreWriteOptions = options }
    }
    /// The extension of the stored files; nil removes an earlier one.
    public static func forcedCacheFileExtension(_ text: String?) -> Self {
        .init { $0.cache.forcedCacheFileExtension = text }
    }
    /// Sets the client of network sources.
    public static func downloader(_ downloader: any DataDownloading) -> Self {
        .init { $0.download.downloader = downloader }
    }
    /// Sets `DownloadOptions.priority`.
    public static func downloadPriority(_ priority: Double) -> Self { .init { $0.download.priority = priority } }
    /// Sets `DownloadOptions.headers`.
    public static func requestHeaders(_ headers: [HeaderField]) -> Self { .init { $0.download.headers = headers } }
    /// Sets what changes a request before it is sent.
    public static func requestModifier(_ modifier: any RequestModifier) -> Self {
        .init { $0.download.requestModifier = modifier }
    }
    /// Sets what decides on redirects.
    public static func redirectHandler(_ handler: any RedirectHandler) -> Self {
        .init { $0.download.redirectHandler = handler }
    }
    /// Sets `DownloadOptions.hooks`.
    public static func downloadHooks(_ hooks: any DownloadHooks) -> Self { .init { $0.download.hooks = hooks } }
    /// Sets how failures are retried.
    public static func retryStrategy(_ strategy: any RetryStrategy) -> Self {
        .init { $0.download.retryStrategy = strategy }
    }
    /// Sets the longest `Retry-After` that is waited for.
    public static func serverDelayLimit(_ limit: Duration) -> Self { .init { $0.download.serverDelayLimit = limit } }
    /// Sets the sources to try in order after a failure.
    public static func alternativeSources(_ sources: [Source]) -> Self {
        .init { $0.download.alternativeSources = sources }
    }
    /// The source for a constrained network; nil removes an earlier one.
    public static func lowDataMode(_ source: Source?) -> Self { .init { $0.download.lowDataSource = source } }
    /// Sets `DownloadOptions.isNetworkConstrained`.
    public static var networkConstrained: Self { .init { $0.download.isNetworkConstrained = true } }
    /// Sets the processor between decoding and cache.
    public static func processor(_ processor: any ImageProcessor) -> Self { .init { $0.process.processor = processor } }
    /// Sets `ProcessOptions.limits`.
    public static func decodeLimits(_ limits: DecodeLimits) -> Self { .init { $0.process.limits = limits } }
    /// Sets the pixels per point.
    public static func scaleFactor(_ scale: Double) -> Self { .init { $0.process.scaleFactor = scale } }
    /// Decodes before the image is delivered.
    public static var backgroundDecode: Self { .init { $0.process.backgroundDecode = true } }
    /// Sets `ProcessOptions.originalCheck`.
    public static func originalCheck(_ check: OriginalCheck) -> Self { .init { $0.process.originalCheck = check } }
    /// Sets `ProcessOptions.acceptedFormats`.
    public static func acceptedFormats(_ formats: Set<ImageFormat>?) -> Self {
        .init { $0.process.acceptedFormats = formats }
    }
    /// Sets `AnimationLoading.preloadsAllFrames` of `ProcessOptions.animation`.
    public static var preloadAllAnimationData: Self { .init { $0.process.animation.preloadsAllFrames = true } }
    /// Sets `AnimationLoading.onlyFirstFrame` of `ProcessOptions.animation`.
    public static var onlyLoadFirstFrame: Self { .init { $0.process.animation.onlyFirstFrame = true } }
    /// Shows partial images of a progressive JPEG.
    public static func progressiveJPEG(_ progressive: ImageProgressive) -> Self {
        .init { $0.process.progressiveJPEG = progressive }
    }
    /// Sets `ProcessOptions.queue`.
    public static func processingQueue(_ queue: ProcessingQueue) -> Self { .init { $0.process.queue = queue } }
    /// Sets what changes an image after the cache.
    public static func imageModifier(_ modifier: any ImageModifier) -> Self {
        .init { $0.delivery.imageModifier = modifier }
    }
    /// Sets where closures are called.
    public static func callbackQueue(_ queue: CallbackQueue) -> Self { .init { $0.delivery.callbackQueue = queue } }
    /// Sets the transition of a view.
    public static func transition(_ transition: ImageTransition) -> Self {
        .init { $0.display.transition = transition }
    }
    /// Shows the transition for cached images, too.
    public static var forceTransition: Self { .init { $0.display.forceTransition = true } }
    /// Keeps the old image of a view until the new one is there.
    public static var keepCurrentImageWhileLoading: Self { .init { $0.display.keepCurrentImageWhileLoading = true } }
    /// The image after a failure; nil shows none.
    public static func onFailureImage(_ image: Image?) -> Self {
        .init { $0.display.onFailureImage = image.map(FailureImage.image) ?? .none }
    }
    /// Reads cached files before a view draws again.
    public static var loadDiskFileSynchronously: Self { .init { $0.display.loadDiskFileSynchronously = true } }
}

extension ImageOptions: ExpressibleByArrayLiteral {
    public init(arrayLiteral items: ImageOptionsItem...) { self.init(items) }

    /// Creates default options and applies the items in order.
    public init(_ items: [ImageOptionsItem]) {
        self.init()
        for item in items { apply(item) }
    }

    /// Returns a copy of the options with the items applied in order.
    public func applying(_ items: [ImageOptionsItem]) -> ImageOptions {
        var copy = self
        for item in items { copy.apply(item) }
        return copy
    }

    /// Sets the option that the item contains.
    package mutating func apply(_ item: ImageOptionsItem) { item.apply(&self) }
}
