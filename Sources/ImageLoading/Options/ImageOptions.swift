import Raster
import Retrying

/// Options for loading one image, in groups.
///
/// The groups: reading and storing in the caches, fetching bytes, processing, delivery, and display.
///
/// Rules for options that affect each other, in this order:
/// 1. Of the options that set `CacheOptions.policy`, `forceRefresh` overrides `onlyFromCache`, and that overrides
///    `fromMemoryCacheOrRefresh`, in any order.
/// 2. `CachePolicy.cacheOnly` forbids the network, so there are no alternatives and no retries: a miss is an error.
/// 3. `cacheMemoryOnly` keeps the processed image off the disk; `cacheOriginalImage` still stores the original.
/// 4. On a constrained network `lowDataSource` replaces the source; the alternatives come after it.
/// 5. Each source has its own retries; a cancellation stops everything at once.
/// 6. With `keepCurrentImageWhileLoading` the current image is shown instead of the placeholder, until the new image
///    or `onFailureImage` replaces it.
/// 7. A transition runs for images that no cache had, and with `forceTransition` for all images.
public struct ImageOptions: Sendable {
    /// Options for reading from the caches and storing in them.
    @Shared public var cache = CacheOptions()
    /// Options for fetching bytes.
    @Shared public var download = DownloadOptions()
    /// Options for decoding and processing.
    @Shared public var process = ProcessOptions()
    /// Options for the delivery of images and events.
    @Shared public var delivery = DeliveryOptions()
    /// Options for the display of the image.
    @Shared public var display = DisplayOptions()

    /// Creates the default options.
    public init() {}
}

/// The caches that a load reads before a fetch, and whether it may fetch; loads share work only if theirs are equal.
///
/// Fetched bytes and images are stored in any case.
public enum CachePolicy: Sendable, Hashable {
    /// Memory, then the disk, then a fetch.
    case cacheFirst
    /// Memory, then a fetch.
    case memoryFirst
    /// A fetch.
    case reload
    /// A request that asks the server whether the bytes on disk are still valid, expired or not; changed bytes are fetched.
    case revalidate
    /// Memory, then the disk; a miss is an error, `ImageError.cache(.imageNotExisting)`.
    case cacheOnly
    /// As `cacheOnly`, with entries that have expired within `expiredGracePeriod`.
    case cacheOnlyEvenExpired

    var readsMemory: Bool { self != .reload && self != .revalidate }
    /// Whether an address that was recently found missing (404, 410) is not requested again.
    var usesNegativeCache: Bool { readsMemory }
    var readsDisk: Bool { self == .cacheFirst || !mayFetch }
    var mayFetch: Bool { self != .cacheOnly && self != .cacheOnlyEvenExpired }
}

/// Options for reading from the caches and storing in them.
public struct CacheOptions: Sendable {
    /// The cache for processed images; the pipeline's cache if nil, the default.
    public var targetCache: ImageCache?
    /// The cache for original bytes; the target cache if nil, the default.
    public var originalCache: ImageCache?
    /// The caches that are read before a fetch; `.cacheFirst` by default.
    public var policy = CachePolicy.cacheFirst
    /// The time after its expiration for which an original is still used if its server is unavailable.
    ///
    /// The default, nil, means never. A server is unavailable if it cannot be reached, does not answer, or reports a
    /// temporary problem (5xx, 429): `stale-if-error` in RFC 5861. Only one attempt is made, without waiting for a host
    /// that has failed before. `ImageResult.expiredBecause` contains the error.
    public var expiredGracePeriod: Duration?
    /// Whether the image is processed again from the original, which may come from a cache; false by default.
    public var reprocesses = false
    /// Whether the processed image is not stored on disk; false by default.
    ///
    /// An existing entry is still used. Originals are stored on disk only with `cacheOriginalImage`.
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
    /// The change of an image's expiration on a memory hit; `.cacheTime` by default.
    public var memoryCacheAccessExtendingExpiration = ExpirationExtending.cacheTime
    /// The change of an entry's expiration on a disk hit; `.cacheTime` by default.
    public var diskCacheAccessExtendingExpiration = ExpirationExtending.cacheTime
    /// The options for writing files; empty by default: writes are atomic, but not synchronized to the device.
    public var diskStoreWriteOptions: CacheWriteOptions = []
    /// The extension of the stored files, verbatim; nil, the default, adds none.
    public var forcedCacheFileExtension: String?

    /// Creates the default options.
    public init() {}
}

/// Options for fetching bytes.
public struct DownloadOptions: Sendable {
    /// The downloader; the pipeline's own if nil, the default.
    public var downloader: (any DataDownloading)?
    /// The priority, 0…1, 0.5 by default; higher starts sooner.
    public var priority = 0.5
    /// Headers for the source's own origin; not sent to other origins, neither after a redirect nor to alternatives.
    public var headers: [HeaderField] = []
    /// A modifier for each request before it is queued; nil by default.
    public var requestModifier: (any RequestModifier)?
    /// A handler that receives every redirect and can edit or stop it; nil by default.
    public var redirectHandler: (any RedirectHandler)?
    /// Callbacks that observe and control the transfers of this image, instead of the downloader's; nil by default.
    public var hooks: (any DownloadHooks)?
    /// The strategy for retries; nil by default, which means one attempt.
    public var retryStrategy: (any RetryStrategy)?
    /// Whether a load waits while its host's circuit is open, or its turn at the rate that the host's refusals taught,
    /// after failures of other loads; false by default, which sends the request at once.
    ///
    /// Prefetches and loads with a retry strategy always wait.
    public var waitsForHost = false
    /// The longest delay to wait when a server asks for one, 60 s by default.
    ///
    /// If a server asks for a longer delay, the transfer fails.
    public var serverDelayLimit = Duration.seconds(60)
    /// Sources to try in order after the source failed, each with its own retries; none by default.
    public var alternativeSources: [Source] = []
    /// The source to use instead on a constrained network; nil by default.
    public var lowDataSource: Source?
    /// The expected SHA-256 of the bytes, 64 lower-case hexadecimal digits; nil, the default, accepts all bytes.
    ///
    /// Other bytes are an error; they are neither stored nor read from a cache.
    public var sha256: String?
    /// How much of a picture is fetched to learn its facts, without storing it; nil, the default, loads it normally.
    package var inspection: Inspection?
    /// Whether the network is expensive or slow; false by default.
    public var isNetworkConstrained = false

    /// Creates the default options.
    public init() {}
}

/// How much of a picture is fetched to learn its facts.
package enum Inspection: Sendable, Hashable {
    /// The first bytes, which have the header of most files.
    case beginning(bytes: Int)
    /// The whole file, whose pixels are decoded.
    case whole
}

/// A check of original bytes before they are stored on disk.
public enum OriginalCheck: String, Sendable, CaseIterable {
    /// Each picture is decoded, in a small size where its format allows that, so that damaged pixels are found.
    case decode
    /// Only the header and the end of the file are checked.
    case framing
}

/// Options for decoding and processing.
public struct ProcessOptions: Sendable {
    /// The processor; `DefaultImageProcessor`, which changes nothing, by default.
    public var processor: any ImageProcessor = DefaultImageProcessor()
    /// The decoding limits; 100 MiB, 100 million pixels and 10,000 frames by default.
    public var limits = DecodeLimits.standard
    /// The number of pixels per unit of the processor's lengths; 1 by default, and for values that are not positive.
    ///
    /// Sizes, radii and widths are multiplied by it, so that the same chain works for a screen of twice the density.
    public var scaleFactor = 1.0
    /// Whether `warm` decodes every pixel, so that damaged images are found; false by default.
    ///
    /// Images that are loaded for display are always decoded completely, and never on the main actor.
    public var backgroundDecode = false
    /// The check of original bytes before they are stored on disk; of the framing only by default.
    public var originalCheck = OriginalCheck.framing
    /// Whether the facts of a checked picture have its thumbnail; false by default.
    package var keepsThumbnail = false
    /// Returns the recipe of the file that a check of the pixels also makes of a picture; nil, the default, makes none.
    ///
    /// A check that would have to decode twice for it makes none either.
    package var recipe: (@Sendable (ImageHeader) -> PictureRecipe?)?
    /// Whether original bytes with missing or wrong pixels are stored on disk; false by default.
    public var storesDamaged = false
    /// The formats of originals that are downloaded and stored; all by default, nil for any content, even for files
    /// that are not pictures.
    public var acceptedFormats: Set<ImageFormat>? = Set(ImageFormat.allCases)
    /// The decoding of animations; by default each frame is decoded shortly before it is shown.
    ///
    /// `onlyFirstFrame` overrides `preloadsAllFrames`.
    public var animation = AnimationLoading()
    /// The display of a progressive JPEG while its bytes arrive; nil, the default, turns it off.
    ///
    /// Partial images are sent as `LoadEvent.partial`, processed like the complete image; no cache stores them.
    public var progressiveJPEG: ImageProgressive?
    /// The queue for decoding and processing; a shared one, as wide as the number of cores, by default.
    public var queue = ProcessingQueue.shared

    /// Creates the default options.
    public init() {}

    /// The processor at the scale factor.
    var scaledProcessor: any ImageProcessor {
        guard scaleFactor.isFinite, scaleFactor > 0, scaleFactor != 1 else { return processor }
        return processor.scaled(by: scaleFactor)
    }
}

/// Options for the delivery of images and events.
public struct DeliveryOptions: Sendable {
    /// A modifier for every delivered image, regardless of its tier; nil by default.
    public var imageModifier: (any ImageModifier)?
    /// The isolation in which event handlers run; the main actor by default.
    public var callbackQueue = CallbackQueue.main

    /// Creates the default options.
    public init() {}
}

/// A change to each delivered image; cached images stay unchanged.
public protocol ImageModifier: Sendable {
    /// Returns the image to deliver; called once for each load, and not for partial images.
    func modify(_ image: Image) -> Image
}

/// Options for the display of an image, to be applied by the code that shows it.
///
/// With `keepCurrentImageWhileLoading` the current image replaces the placeholder. If there is no current image, the
/// placeholder is shown. After a failure `onFailureImage` applies in both cases.
public struct DisplayOptions: Sendable {
    /// The transition from the current content to a new image; none by default.
    public var transition = ImageTransition.none
    /// Whether the transition also runs for images from a cache; false by default.
    public var forceTransition = false
    /// Whether the current image stays visible until the new one is ready; false by default.
    public var keepCurrentImageWhileLoading = false
    /// The content after a failure; unset by default, so that the placeholder stays.
    public var onFailureImage = FailureImage.unset
    /// Whether no placeholder is shown if the image is ready within 16 ms, as cached images are; false by default.
    public var loadDiskFileSynchronously = false

    /// Creates the default options.
    public init() {}

    /// Returns the transition for an image from a tier: none for a cached one, unless it is forced.
    public func transition(from cacheType: ImageCache.CacheType) -> ImageTransition {
        cacheType == .none || forceTransition ? transition : .none
    }
}

/// The content to show after a failure.
public enum FailureImage: Sendable, Hashable {
    /// The current content: the placeholder or the previous image.
    case unset
    /// No image.
    case none
    /// The given image.
    case image(Image)
}

/// A transition from an old image to a new one.
public struct ImageTransition: Sendable {
    /// The visual effect.
    public var effect: Transition
    /// The duration; 200 ms by default.
    public var duration: Duration

    /// Creates a transition of 200 ms by default; it is invisible if the duration is not positive.
    public init(_ effect: Transition, duration: Duration = .milliseconds(200)) {
        (self.effect, self.duration) = (effect, duration)
    }

    /// A transition that shows the new image at once.
    public static let none = ImageTransition(.none, duration: .zero)

    /// Returns a fade; like the following functions, takes the duration in seconds: `.fade(0.3)`.
    public static func fade(_ seconds: Double) -> ImageTransition { ImageTransition(.fade, seconds) }
    /// Returns a turn like that of a card, whose left side moves towards the viewer.
    public static func flipFromLeft(_ seconds: Double) -> ImageTransition { ImageTransition(.flipFromLeft, seconds) }
    /// Returns a turn like that of a card, whose right side moves towards the viewer.
    public static func flipFromRight(_ seconds: Double) -> ImageTransition { ImageTransition(.flipFromRight, seconds) }
    /// Returns a turn like that of a card, whose top side moves towards the viewer.
    public static func flipFromTop(_ seconds: Double) -> ImageTransition { ImageTransition(.flipFromTop, seconds) }
    /// Returns a turn like that of a card, whose bottom side moves towards the viewer.
    public static func flipFromBottom(_ seconds: Double) -> ImageTransition {
        ImageTransition(.flipFromBottom, seconds)
    }
    /// Returns a change from left to right.
    public static func wipe(_ seconds: Double) -> ImageTransition { ImageTransition(.wipe, seconds) }
    /// Returns a change in small scattered squares.
    public static func dissolve(_ seconds: Double) -> ImageTransition { ImageTransition(.dissolve, seconds) }

    private init(_ effect: Transition, _ seconds: Double) {
        // Longer than any transition, and far from the largest duration.
        self.init(effect, duration: .seconds(seconds.isFinite ? min(max(0, seconds), 3600) : 0))
    }

    /// Whether the transition has a visible effect.
    public var isVisible: Bool { effect != .none && duration > .zero }
}

/// A large value in shared storage: a copy only adds a reference, and a change creates new storage.
@propertyWrapper
public struct Shared<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    /// Creates storage for the first value.
    public init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    /// The value; setting it does not change earlier copies.
    public var wrappedValue: Value {
        get { storage.value }
        set { storage = Storage(newValue) }
    }
}
