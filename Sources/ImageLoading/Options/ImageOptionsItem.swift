import Raster
import Retrying

/// One option in the literal syntax, `[.processor(p), .cacheOriginalImage]`; a later item overrides an earlier one.
///
/// Unless stated otherwise, each case sets the property of the same name in a group of `ImageOptions`; that property
/// documents the meaning and the default. A case without a value sets the property to true.
public enum ImageOptionsItem: Sendable {
    case targetCache(ImageCache)
    case originalCache(ImageCache)
    case forceRefresh
    case fromMemoryCacheOrRefresh
    case onlyFromCache
    case cacheMemoryOnly
    case cacheOriginalImage
    case waitForCache
    case expiredGracePeriod(Duration)
    case alsoPrefetchToMemory
    /// Sets `CacheOptions.serializer`.
    case cacheSerializer(any CacheSerializer)
    case memoryCacheExpiration(StorageExpiration)
    case diskCacheExpiration(StorageExpiration)
    case memoryCacheAccessExtendingExpiration(ExpirationExtending)
    case diskCacheAccessExtendingExpiration(ExpirationExtending)
    case diskStoreWriteOptions(CacheWriteOptions)
    /// The extension of the stored files; nil removes an earlier one.
    case forcedCacheFileExtension(String?)
    case downloader(any DataDownloading)
    /// Sets `DownloadOptions.priority`.
    case downloadPriority(Double)
    /// Sets `DownloadOptions.headers`.
    case requestHeaders([HeaderField])
    case requestModifier(any RequestModifier)
    case redirectHandler(any RedirectHandler)
    /// Sets `DownloadOptions.hooks`.
    case downloadHooks(any DownloadHooks)
    case retryStrategy(any RetryStrategy)
    case serverDelayLimit(Duration)
    case alternativeSources([Source])
    /// The source for a constrained network; nil removes an earlier one.
    case lowDataMode(Source?)
    /// Sets `DownloadOptions.isNetworkConstrained`.
    case networkConstrained
    case processor(any ImageProcessor)
    /// Sets `ProcessOptions.limits`.
    case decodeLimits(DecodeLimits)
    case scaleFactor(Double)
    case backgroundDecode
    /// Sets `ProcessOptions.originalCheck`.
    case originalCheck(OriginalCheck)
    /// Sets `ProcessOptions.storesDamaged`.
    case storesDamaged
    /// Sets `ProcessOptions.acceptedFormats`.
    case acceptedFormats(Set<ImageFormat>?)
    /// Sets `AnimationLoading.preloadsAllFrames` of `ProcessOptions.animation`.
    case preloadAllAnimationData
    /// Sets `AnimationLoading.onlyFirstFrame` of `ProcessOptions.animation`.
    case onlyLoadFirstFrame
    case progressiveJPEG(ImageProgressive)
    /// Sets `ProcessOptions.queue`.
    case processingQueue(ProcessingQueue)
    case imageModifier(any ImageModifier)
    case callbackQueue(CallbackQueue)
    case transition(ImageTransition)
    case forceTransition
    case keepCurrentImageWhileLoading
    /// The image after a failure; nil shows none.
    case onFailureImage(Image?)
    case loadDiskFileSynchronously
    /// Has no effect: cache look-ups never block.
    case asyncCacheTypeCheck
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
    public mutating func apply(_ item: ImageOptionsItem) {
        switch item {
        case .targetCache(let cache): self.cache.targetCache = cache
        case .originalCache(let cache): self.cache.originalCache = cache
        case .forceRefresh: cache.forceRefresh = true
        case .fromMemoryCacheOrRefresh: cache.fromMemoryCacheOrRefresh = true
        case .onlyFromCache: cache.onlyFromCache = true
        case .cacheMemoryOnly: cache.cacheMemoryOnly = true
        case .cacheOriginalImage: cache.cacheOriginalImage = true
        case .expiredGracePeriod(let time): cache.expiredGracePeriod = time
        case .waitForCache: cache.waitForCache = true
        case .alsoPrefetchToMemory: cache.alsoPrefetchToMemory = true
        case .cacheSerializer(let serializer): cache.serializer = serializer
        case .memoryCacheExpiration(let expiration): cache.memoryCacheExpiration = expiration
        case .diskCacheExpiration(let expiration): cache.diskCacheExpiration = expiration
        case .memoryCacheAccessExtendingExpiration(let extending):
            cache.memoryCacheAccessExtendingExpiration = extending
        case .diskCacheAccessExtendingExpiration(let extending): cache.diskCacheAccessExtendingExpiration = extending
        case .diskStoreWriteOptions(let options): cache.diskStoreWriteOptions = options
        case .forcedCacheFileExtension(let text): cache.forcedCacheFileExtension = text
        case .downloader(let downloader): download.downloader = downloader
        case .downloadPriority(let priority): download.priority = priority
        case .requestHeaders(let headers): download.headers = headers
        case .requestModifier(let modifier): download.requestModifier = modifier
        case .redirectHandler(let handler): download.redirectHandler = handler
        case .downloadHooks(let hooks): download.hooks = hooks
        case .retryStrategy(let strategy): download.retryStrategy = strategy
        case .serverDelayLimit(let limit): download.serverDelayLimit = limit
        case .alternativeSources(let sources): download.alternativeSources = sources
        case .lowDataMode(let source): download.lowDataSource = source
        case .networkConstrained: download.isNetworkConstrained = true
        case .processor(let processor): process.processor = processor
        case .decodeLimits(let limits): process.limits = limits
        case .scaleFactor(let scale): process.scaleFactor = scale
        case .backgroundDecode: process.backgroundDecode = true
        case .originalCheck(let check): process.originalCheck = check
        case .storesDamaged: process.storesDamaged = true
        case .acceptedFormats(let formats): process.acceptedFormats = formats
        case .preloadAllAnimationData: process.animation.preloadsAllFrames = true
        case .onlyLoadFirstFrame: process.animation.onlyFirstFrame = true
        case .progressiveJPEG(let progressive): process.progressiveJPEG = progressive
        case .processingQueue(let queue): process.queue = queue
        case .imageModifier(let modifier): delivery.imageModifier = modifier
        case .callbackQueue(let queue): delivery.callbackQueue = queue
        case .transition(let transition): display.transition = transition
        case .forceTransition: display.forceTransition = true
        case .keepCurrentImageWhileLoading: display.keepCurrentImageWhileLoading = true
        case .onFailureImage(let image): display.onFailureImage = image.map(FailureImage.image) ?? .none
        case .loadDiskFileSynchronously: display.loadDiskFileSynchronously = true
        case .asyncCacheTypeCheck: break
        }
    }
}
