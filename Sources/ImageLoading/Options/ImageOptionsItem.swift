import Raster
import Retrying

/// One option in the literal syntax, `[.processor(p), .cacheOriginalImage]`; a later item overrides an earlier one.
///
/// Unless stated otherwise, each item sets the property of the same name in a group of `ImageOptions`; that property
/// documents the meaning and the default. An item without a value sets the property to true.
public struct ImageOptionsItem: Sendable {
    let apply: @Sendable (inout ImageOptions) -> Void

    public static func targetCache(_ cache: ImageCache) -> Self { .init { $0.cache.targetCache = cache } }
    public static func originalCache(_ cache: ImageCache) -> Self { .init { $0.cache.originalCache = cache } }
    public static var forceRefresh: Self { .init { $0.cache.policy = .reload } }
    public static var fromMemoryCacheOrRefresh: Self {
        .init { if $0.cache.policy == .cacheFirst { $0.cache.policy = .memoryFirst } }
    }
    public static var onlyFromCache: Self {
        .init { if $0.cache.policy != .reload { $0.cache.policy = .cacheOnly } }
    }
    public static var cacheMemoryOnly: Self { .init { $0.cache.cacheMemoryOnly = true } }
    public static var cacheOriginalImage: Self { .init { $0.cache.cacheOriginalImage = true } }
    public static var waitForCache: Self { .init { $0.cache.waitForCache = true } }
    public static func expiredGracePeriod(_ time: Duration) -> Self { .init { $0.cache.expiredGracePeriod = time } }
    public static var alsoPrefetchToMemory: Self { .init { $0.cache.alsoPrefetchToMemory = true } }
    /// Sets `CacheOptions.serializer`.
    public static func cacheSerializer(_ serializer: any CacheSerializer) -> Self {
        .init { $0.cache.serializer = serializer }
    }
    public static func memoryCacheExpiration(_ expiration: StorageExpiration) -> Self {
        .init { $0.cache.memoryCacheExpiration = expiration }
    }
    public static func diskCacheExpiration(_ expiration: StorageExpiration) -> Self {
        .init { $0.cache.diskCacheExpiration = expiration }
    }
    public static func memoryCacheAccessExtendingExpiration(_ extending: ExpirationExtending) -> Self {
        .init { $0.cache.memoryCacheAccessExtendingExpiration = extending }
    }
    public static func diskCacheAccessExtendingExpiration(_ extending: ExpirationExtending) -> Self {
        .init { $0.cache.diskCacheAccessExtendingExpiration = extending }
    }
    public static func diskStoreWriteOptions(_ options: CacheWriteOptions) -> Self {
        .init { $0.cache.diskStoreWriteOptions = options }
    }
    /// The extension of the stored files; nil removes an earlier one.
    public static func forcedCacheFileExtension(_ text: String?) -> Self {
        .init { $0.cache.forcedCacheFileExtension = text }
    }
    public static func downloader(_ downloader: any DataDownloading) -> Self {
        .init { $0.download.downloader = downloader }
    }
    /// Sets `DownloadOptions.priority`.
    public static func downloadPriority(_ priority: Double) -> Self { .init { $0.download.priority = priority } }
    /// Sets `DownloadOptions.headers`.
    public static func requestHeaders(_ headers: [HeaderField]) -> Self { .init { $0.download.headers = headers } }
    public static func requestModifier(_ modifier: any RequestModifier) -> Self {
        .init { $0.download.requestModifier = modifier }
    }
    public static func redirectHandler(_ handler: any RedirectHandler) -> Self {
        .init { $0.download.redirectHandler = handler }
    }
    /// Sets `DownloadOptions.hooks`.
    public static func downloadHooks(_ hooks: any DownloadHooks) -> Self { .init { $0.download.hooks = hooks } }
    public static func retryStrategy(_ strategy: any RetryStrategy) -> Self {
        .init { $0.download.retryStrategy = strategy }
    }
    public static func serverDelayLimit(_ limit: Duration) -> Self { .init { $0.download.serverDelayLimit = limit } }
    public static func alternativeSources(_ sources: [Source]) -> Self {
        .init { $0.download.alternativeSources = sources }
    }
    /// The source for a constrained network; nil removes an earlier one.
    public static func lowDataMode(_ source: Source?) -> Self { .init { $0.download.lowDataSource = source } }
    /// Sets `DownloadOptions.isNetworkConstrained`.
    public static var networkConstrained: Self { .init { $0.download.isNetworkConstrained = true } }
    public static func processor(_ processor: any ImageProcessor) -> Self { .init { $0.process.processor = processor } }
    /// Sets `ProcessOptions.limits`.
    public static func decodeLimits(_ limits: DecodeLimits) -> Self { .init { $0.process.limits = limits } }
    public static func scaleFactor(_ scale: Double) -> Self { .init { $0.process.scaleFactor = scale } }
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
    public static func progressiveJPEG(_ progressive: ImageProgressive) -> Self {
        .init { $0.process.progressiveJPEG = progressive }
    }
    /// Sets `ProcessOptions.queue`.
    public static func processingQueue(_ queue: ProcessingQueue) -> Self { .init { $0.process.queue = queue } }
    public static func imageModifier(_ modifier: any ImageModifier) -> Self {
        .init { $0.delivery.imageModifier = modifier }
    }
    public static func callbackQueue(_ queue: CallbackQueue) -> Self { .init { $0.delivery.callbackQueue = queue } }
    public static func transition(_ transition: ImageTransition) -> Self {
        .init { $0.display.transition = transition }
    }
    public static var forceTransition: Self { .init { $0.display.forceTransition = true } }
    public static var keepCurrentImageWhileLoading: Self { .init { $0.display.keepCurrentImageWhileLoading = true } }
    /// The image after a failure; nil shows none.
    public static func onFailureImage(_ image: Image?) -> Self {
        .init { $0.display.onFailureImage = image.map(FailureImage.image) ?? .none }
    }
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
