import Foundation
import ImageLoading

/// A list of options; a later item wins.
public typealias KingfisherOptionsInfo = [KingfisherOptionsInfoItem]

extension [KingfisherOptionsInfoItem] {
    /// A list without options.
    public static let empty: KingfisherOptionsInfo = []
}

/// One option; `KingfisherParsedOptionsInfo` documents the meanings.
public enum KingfisherOptionsInfoItem: Sendable {
    /// The cache for processed images.
    case targetCache(ImageCache)
    /// The cache for original bytes.
    case originalCache(ImageCache)
    /// The downloader.
    case downloader(ImageDownloader)
    /// The transition to an image that no cache had.
    case transition(ImageTransition)
    /// The priority of the download, 0…1.
    case downloadPriority(Float)
    /// Reads no cache.
    case forceRefresh
    /// Does not read the disk.
    case fromMemoryCacheOrRefresh
    /// Shows the transition for images from a cache, too.
    case forceTransition
    /// Stores nothing on disk.
    case cacheMemoryOnly
    /// Ends a load only after the image is stored.
    case waitForCache
    /// Makes a miss in the caches an error.
    case onlyFromCache
    /// Decodes in the background, as is always done.
    case backgroundDecode
    /// The place where completion handlers run.
    case callbackQueue(CallbackQueue)
    /// The number of pixels per unit of a processor's lengths.
    case scaleFactor(CGFloat)
    /// Decodes all frames of an animation at once.
    case preloadAllAnimationData
    /// The modifier of each request.
    case requestModifier(any AsyncImageDownloadRequestModifier)
    /// The handler of each redirect.
    case redirectHandler(any ImageDownloadRedirectHandler)
    /// The processor.
    case processor(any ImageProcessor)
    /// The serializer of images on disk.
    case cacheSerializer(any CacheSerializer)
    /// The modifier of each delivered image.
    case imageModifier(any ImageModifier)
    /// Keeps a view's image instead of showing a placeholder.
    case keepCurrentImageWhileLoading
    /// Loads an animation as a still image.
    case onlyLoadFirstFrame
    /// Stores the original bytes besides a processed image.
    case cacheOriginalImage
    /// The image that a view shows after a failure.
    case onFailureImage(Image?)
    /// Stores prefetched images in memory, too.
    case alsoPrefetchToMemory
    /// Accepted without effect.
    case loadDiskFileSynchronously
    /// Accepted without effect.
    case asyncCacheTypeCheck
    /// Accepted without effect.
    case diskStoreWriteOptions(Data.WritingOptions)
    /// The expiration in memory.
    case memoryCacheExpiration(StorageExpiration)
    /// The change of an expiration by a hit in memory.
    case memoryCacheAccessExtendingExpiration(ExpirationExtending)
    /// The expiration on disk.
    case diskCacheExpiration(StorageExpiration)
    /// The change of an expiration by a hit on disk.
    case diskCacheAccessExtendingExpiration(ExpirationExtending)
    /// The place where images are decoded and processed.
    case processingQueue(CallbackQueue)
    /// The display of a progressive JPEG while it arrives.
    case progressiveJPEG(ImageProgressive)
    /// The sources that are tried after the source failed.
    case alternativeSources([Source])
    /// The strategy of retries.
    case retryStrategy(any RetryStrategy)
    /// The source for an expensive network.
    case lowDataMode(Source?)
    /// The extension of files on disk.
    case forcedCacheFileExtension(String?)
}

/// The options of a list as values.
public struct KingfisherParsedOptionsInfo: Sendable {
    /// The cache for processed images; the manager's by default.
    public var targetCache: ImageCache?
    /// The cache for original bytes; the target cache by default.
    public var originalCache: ImageCache?
    /// The downloader; the manager's by default.
    public var downloader: ImageDownloader?
    /// The transition to an image that no cache had; none by default.
    public var transition = ImageTransition.none
    /// The priority of the download, 0…1; 0.5 by default.
    public var downloadPriority: Float = 0.5
    /// Whether no cache is read.
    public var forceRefresh = false
    /// Whether the disk is not read.
    public var fromMemoryCacheOrRefresh = false
    /// Whether the transition also runs for images from a cache.
    public var forceTransition = false
    /// Whether nothing is stored on disk.
    public var cacheMemoryOnly = false
    /// Whether a load ends only after the image is stored.
    public var waitForCache = false
    /// Whether a miss in the caches is an error.
    public var onlyFromCache = false
    /// Whether images are decoded in the background; they always are.
    public var backgroundDecode = false
    /// Whether all frames of an animation are decoded at once.
    public var preloadAllAnimationData = false
    /// The place where completion handlers run.
    public var callbackQueue = CallbackQueue.mainCurrentOrAsync
    /// The number of pixels per unit of a processor's lengths; 1 by default.
    public var scaleFactor: CGFloat = 1
    /// The modifier of each request.
    public var requestModifier: (any AsyncImageDownloadRequestModifier)?
    /// The handler of each redirect.
    public var redirectHandler: (any ImageDownloadRedirectHandler)?
    /// The processor; by default nothing changes.
    public var processor: any ImageProcessor = DefaultImageProcessor.default
    /// The modifier of each delivered image.
    public var imageModifier: (any ImageModifier)?
    /// The serializer of images on disk.
    public var cacheSerializer: any CacheSerializer = DefaultCacheSerializer.default
    /// Whether a view keeps its image instead of showing a placeholder.
    public var keepCurrentImageWhileLoading = false
    /// Whether an animation is loaded as a still image.
    public var onlyLoadFirstFrame = false
    /// Whether the original bytes are stored besides a processed image.
    public var cacheOriginalImage = false
    /// The image that a view shows after a failure; unset by default.
    public var onFailureImage: Image??
    /// Whether a prefetcher stores images in memory, too.
    public var alsoPrefetchToMemory = false
    /// Accepted without effect: a cached image is shown without a placeholder in any case.
    public var loadDiskFileSynchronously = false
    /// Accepted without effect.
    public var asyncCacheTypeCheck = false
    /// Accepted without effect: every write is atomic.
    public var diskStoreWriteOptions: Data.WritingOptions = []
    /// The expiration in memory; the cache's own by default.
    public var memoryCacheExpiration: StorageExpiration?
    /// The change of an expiration by a hit in memory.
    public var memoryCacheAccessExtendingExpiration = ExpirationExtending.cacheTime
    /// The expiration on disk; the cache's own by default.
    public var diskCacheExpiration: StorageExpiration?
    /// The change of an expiration by a hit on disk.
    public var diskCacheAccessExtendingExpiration = ExpirationExtending.cacheTime
    /// The place where images are decoded and processed; a queue of the library by default.
    public var processingQueue: CallbackQueue?
    /// The display of a progressive JPEG while it arrives; off by default.
    public var progressiveJPEG: ImageProgressive?
    /// The sources that are tried after the source failed.
    public var alternativeSources: [Source]?
    /// The strategy of retries; none by default.
    public var retryStrategy: (any RetryStrategy)?
    /// The source for an expensive network.
    public var lowDataModeSource: Source?
    /// The extension of files on disk.
    public var forcedExtension: String?

    /// Parses a list; nil has no options.
    public init(_ info: KingfisherOptionsInfo?) { for item in info ?? [] { apply(item) } }
}

extension KingfisherParsedOptionsInfo {
    private mutating func apply(_ item: KingfisherOptionsInfoItem) {
        switch item {
        case .targetCache(let value): targetCache = value
        case .originalCache(let value): originalCache = value
        case .downloader(let value): downloader = value
        case .transition(let value): transition = value
        case .downloadPriority(let value): downloadPriority = value
        case .forceRefresh: forceRefresh = true
        case .fromMemoryCacheOrRefresh: fromMemoryCacheOrRefresh = true
        case .forceTransition: forceTransition = true
        case .cacheMemoryOnly: cacheMemoryOnly = true
        case .waitForCache: waitForCache = true
        case .onlyFromCache: onlyFromCache = true
        case .backgroundDecode: backgroundDecode = true
        case .callbackQueue(let value): callbackQueue = value
        case .scaleFactor(let value): scaleFactor = value
        case .preloadAllAnimationData: preloadAllAnimationData = true
        case .requestModifier(let value): requestModifier = value
        case .redirectHandler(let value): redirectHandler = value
        case .processor(let value): processor = value
        case .cacheSerializer(let value): cacheSerializer = value
        case .imageModifier(let value): imageModifier = value
        case .keepCurrentImageWhileLoading: keepCurrentImageWhileLoading = true
        case .onlyLoadFirstFrame: onlyLoadFirstFrame = true
        case .cacheOriginalImage: cacheOriginalImage = true
        case .onFailureImage(let value): onFailureImage = .some(value)
        case .alsoPrefetchToMemory: alsoPrefetchToMemory = true
        case .loadDiskFileSynchronously: loadDiskFileSynchronously = true
        case .asyncCacheTypeCheck: asyncCacheTypeCheck = true
        case .diskStoreWriteOptions(let value): diskStoreWriteOptions = value
        case .memoryCacheExpiration(let value): memoryCacheExpiration = value
        case .memoryCacheAccessExtendingExpiration(let value): memoryCacheAccessExtendingExpiration = value
        case .diskCacheExpiration(let value): diskCacheExpiration = value
        case .diskCacheAccessExtendingExpiration(let value): diskCacheAccessExtendingExpiration = value
        case .processingQueue(let value): processingQueue = value
        case .progressiveJPEG(let value): progressiveJPEG = value
        case .alternativeSources(let value): alternativeSources = value
        case .retryStrategy(let value): retryStrategy = value
        case .lowDataMode(let value): lowDataModeSource = value
        case .forcedCacheFileExtension(let value): forcedExtension = value
        }
    }

    /// The same options for the library; the manager itself performs retries, alternatives and callbacks.
    var imageOptions: ImageOptions {
        var options = ImageOptions()
        options.cache.targetCache = targetCache?.base
        options.cache.originalCache = originalCache?.base
        options.cache.policy =
            forceRefresh
            ? .reload : onlyFromCache ? .cacheOnly : fromMemoryCacheOrRefresh ? .memoryFirst : .cacheFirst
        options.cache.cacheMemoryOnly = cacheMemoryOnly
        options.cache.cacheOriginalImage = cacheOriginalImage
        options.cache.waitForCache = waitForCache
        options.cache.alsoPrefetchToMemory = alsoPrefetchToMemory
        options.cache.serializer = cacheSerializer.bridged(self)
        options.cache.memoryCacheExpiration = memoryCacheExpiration
        options.cache.diskCacheExpiration = diskCacheExpiration
        options.cache.memoryCacheAccessExtendingExpiration = memoryCacheAccessExtendingExpiration
        options.cache.diskCacheAccessExtendingExpiration = diskCacheAccessExtendingExpiration
        options.cache.forcedCacheFileExtension = forcedExtension ?? targetCache?.diskStorage.config.pathExtension
        options.download.downloader = downloader?.transport
        options.download.priority = Double(downloadPriority)
        options.download.requestModifier = requestModifier.map { RequestModifierBridge(modifier: $0) }
        options.download.redirectHandler = redirectHandler.map { RedirectBridge(handler: $0) }
        options.download.serverDelayLimit = .zero
        options.download.lowDataSource = lowDataModeSource
        let processor = processor.bridged(self)
        options.process.processor = processor
        // A processor that reads the bytes itself may know formats that the library does not.
        if processor.steps.first?.readsFiles != nil { options.process.acceptedFormats = nil }
        options.process.scaleFactor = Double(scaleFactor)
        options.process.backgroundDecode = backgroundDecode
        options.process.animation.preloadsAllFrames = preloadAllAnimationData
        options.process.animation.onlyFirstFrame = onlyLoadFirstFrame
        options.process.progressiveJPEG = progressiveJPEG?.bridged
        if let executor = processingQueue?.executor {
            options.process.queue = ProcessingQueue(width: 1, executor: executor)
        }
        options.delivery.imageModifier = imageModifier
        options.delivery.callbackQueue = .untouch
        return options
    }
}
