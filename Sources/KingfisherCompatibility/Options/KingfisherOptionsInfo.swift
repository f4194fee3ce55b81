import AlcedoImageCodecs
import Foundation
import ImageLoading

/// A list of options; a later item wins.
public typealias KingfisherOptionsInfo = [KingfisherOptionsInfoItem]

extension [KingfisherOptionsInfoItem] {
    /// A list without options.
    public static let empty: KingfisherOptionsInfo = []
}

/// One option, the change of a property of `KingfisherParsedOptionsInfo`, which says what it means.
public struct KingfisherOptionsInfoItem: Sendable {
    fileprivate let apply: @Sendable (inout KingfisherParsedOptionsInfo) -> Void
}

extension KingfisherOptionsInfoItem {
    /// The cache for processed images.
    public static func targetCache(_ value: ImageCache) -> Self { Self { $0.targetCache = value } }
    /// The cache for original bytes.
    public static func originalCache(_ value: ImageCache) -> Self { Self { $0.originalCache = value } }
    /// The downloader.
    public static func downloader(_ value: ImageDownloader) -> Self { Self { $0.downloader = value } }
    /// The transition to an image that no cache had.
    public static func transition(_ value: ImageTransition) -> Self { Self { $0.transition = value } }
    /// The priority of the download, 0…1.
    public static func downloadPriority(_ value: Float) -> Self { Self { $0.downloadPriority = value } }
    /// Reads no cache.
    public static let forceRefresh = Self { $0.forceRefresh = true }
    /// Does not read the disk.
    public static let fromMemoryCacheOrRefresh = Self { $0.fromMemoryCacheOrRefresh = true }
    /// Shows the transition for images from a cache, too.
    public static let forceTransition = Self { $0.forceTransition = true }
    /// Stores nothing on disk.
    public static let cacheMemoryOnly = Self { $0.cacheMemoryOnly = true }
    /// Ends a load only after the image is stored.
    public static let waitForCache = Self { $0.waitForCache = true }
    /// Makes a miss in the caches an error.
    public static let onlyFromCache = Self { $0.onlyFromCache = true }
    /// Decodes in the background, as is always done.
    public static let backgroundDecode = Self { $0.backgroundDecode = true }
    /// The place where completion handlers run.
    public static func callbackQueue(_ value: CallbackQueue) -> Self { Self { $0.callbackQueue = value } }
    /// The number of pixels per unit of a processor's lengths.
    public static func scaleFactor(_ value: CGFloat) -> Self { Self { $0.scaleFactor = value } }
    /// Decodes all frames of an animation at once.
    public static let preloadAllAnimationData = Self { $0.preloadAllAnimationData = true }
    /// The modifier of each request.
    public static func requestModifier(_ value: any AsyncImageDownloadRequestModifier) -> Self {
        Self { $0.requestModifier = value }
    }
    /// The handler of each redirect.
    public static func redirectHandler(_ value: any ImageDownloadRedirectHandler) -> Self {
        Self { $0.redirectHandler = value }
    }
    /// The processor.
    public static func processor(_ value: any ImageProcessor) -> Self { Self { $0.processor = value } }
    /// The serializer of images on disk.
    public static func cacheSerializer(_ value: any CacheSerializer) -> Self { Self { $0.cacheSerializer = value } }
    /// The modifier of each delivered image.
    public static func imageModifier(_ value: any ImageModifier) -> Self { Self { $0.imageModifier = value } }
    /// Keeps a view's image instead of showing a placeholder.
    public static let keepCurrentImageWhileLoading = Self { $0.keepCurrentImageWhileLoading = true }
    /// Loads an animation as a still image.
    public static let onlyLoadFirstFrame = Self { $0.onlyLoadFirstFrame = true }
    /// Stores the original bytes besides a processed image.
    public static let cacheOriginalImage = Self { $0.cacheOriginalImage = true }
    /// The image that a view shows after a failure.
    public static func onFailureImage(_ value: Image?) -> Self { Self { $0.onFailureImage = .some(value) } }
    /// Stores prefetched images in memory, too.
    public static let alsoPrefetchToMemory = Self { $0.alsoPrefetchToMemory = true }
    /// Accepted without effect.
    public static let loadDiskFileSynchronously = Self { $0.loadDiskFileSynchronously = true }
    /// Accepted without effect.
    public static let asyncCacheTypeCheck = Self { $0.asyncCacheTypeCheck = true }
    /// Accepted without effect.
    public static func diskStoreWriteOptions(_ value: Data.WritingOptions) -> Self {
        Self { $0.diskStoreWriteOptions = value }
    }
    /// The expiration in memory.
    public static func memoryCacheExpiration(_ value: StorageExpiration) -> Self {
        Self { $0.memoryCacheExpiration = value }
    }
    /// The change of an expiration by a hit in memory.
    public static func memoryCacheAccessExtendingExpiration(_ value: ExpirationExtending) -> Self {
        Self { $0.memoryCacheAccessExtendingExpiration = value }
    }
    /// The expiration on disk.
    public static func diskCacheExpiration(_ value: StorageExpiration) -> Self {
        Self { $0.diskCacheExpiration = value }
    }
    /// The change of an expiration by a hit on disk.
    public static func diskCacheAccessExtendingExpiration(_ value: ExpirationExtending) -> Self {
        Self { $0.diskCacheAccessExtendingExpiration = value }
    }
    /// The place where images are decoded and processed.
    public static func processingQueue(_ value: CallbackQueue) -> Self { Self { $0.processingQueue = value } }
    /// The display of a progressive JPEG while it arrives.
    public static func progressiveJPEG(_ value: ImageProgressive) -> Self { Self { $0.progressiveJPEG = value } }
    /// The sources that are tried after the source failed.
    public static func alternativeSources(_ value: [Source]) -> Self { Self { $0.alternativeSources = value } }
    /// The strategy of retries.
    public static func retryStrategy(_ value: any RetryStrategy) -> Self { Self { $0.retryStrategy = value } }
    /// The source for an expensive network.
    public static func lowDataMode(_ value: Source?) -> Self { Self { $0.lowDataModeSource = value } }
    /// The same as `lowDataMode`: Kingfisher's manual has both names.
    public static func lowDataSource(_ value: Source?) -> Self { lowDataMode(value) }
    /// The extension of files on disk.
    public static func forcedCacheFileExtension(_ value: String?) -> Self { Self { $0.forcedExtension = value } }
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
    public init(_ info: KingfisherOptionsInfo?) { for item in info ?? [] { item.apply(&self) } }
}

extension KingfisherParsedOptionsInfo {
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

/// The display of a progressive JPEG while its bytes arrive.
public struct ImageProgressive: Sendable {
    /// The display of a partial image in a view.
    public enum UpdatingStrategy: Sendable {
        /// Shows the partial image.
        case `default`
        /// Shows nothing new.
        case keepCurrent
        /// Shows this image instead.
        case replace(Image?)
    }

    /// Blurred scans, the newest first, without a pause.
    public static let `default` = ImageProgressive()

    /// Whether early scans are blurred.
    public var isBlur: Bool
    /// Whether only the newest of several scans is shown.
    public var isFastestScan: Bool
    /// The minimum time between two partial images, in seconds.
    public var scanInterval: TimeInterval
    /// Decides about each partial image.
    public let onImageUpdated = Delegate<Image, UpdatingStrategy>()

    /// Creates a display; by default scans are blurred, the newest is shown, without a pause.
    public init(isBlur: Bool = true, isFastestScan: Bool = true, scanInterval: TimeInterval = 0) {
        (self.isBlur, self.isFastestScan, self.scanInterval) = (isBlur, isFastestScan, scanInterval)
    }

    var bridged: AlcedoImageCodecs.ImageProgressive {
        .init(isBlur: isBlur, isFastestScan: isFastestScan, scanInterval: Duration(seconds: scanInterval))
    }
}

/// An image modifier that calls a closure; the image stays if that throws.
public struct AnyImageModifier: ImageModifier {
    private let block: @Sendable (Image) throws -> Image

    /// Creates a modifier that calls the closure.
    public init(modify: @escaping @Sendable (Image) throws -> Image) { block = modify }

    /// Returns the closure's image.
    public func modify(_ image: Image) -> Image { (try? block(image)) ?? image }
}
