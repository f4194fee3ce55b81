import AlcedoSupport
import FoundationEssentials
import Raster

/// One load: a source with its options; the keys of all stages are derived from it.
///
/// It is a class because every stage holds it, and a copy of the options takes as long as a look-up in memory.
final class LoadRequest: Sendable {
    let source: Source
    let options: ImageOptions
    /// The cache for processed images.
    let target: ImageCache
    /// The cache for original bytes.
    let originals: ImageCache
    /// The disk tier that may have the source's bytes; nil for local files, which do not count as misses.
    var originalsDisk: DiskStorage? { source.isWorthCachingOnDisk ? originals.disk : nil }
    /// The processor at the scale factor.
    let processor: any ImageProcessor
    /// Whether the bytes are a document, such as a list, and not an image.
    let isDocument: Bool

    init(
        source: Source, options: ImageOptions, cache: ImageCache, isDocument: Bool = false
    ) {
        (self.source, self.options, self.isDocument) = (source, options, isDocument)
        target = options.cache.targetCache ?? cache
        originals = options.cache.originalCache ?? target
        processor = options.process.scaledProcessor
    }

    /// Whether a serializer makes the bytes on disk.
    var isProcessed: Bool { !processor.identifier.isEmpty || options.cache.serializer.storesOriginals }

    /// Whether the original is stored on disk.
    ///
    /// It is with `cacheOriginalImage`, or with neither a processor nor `cacheMemoryOnly`.
    var keepsOriginal: Bool { options.cache.cacheOriginalImage || !isProcessed && !options.cache.cacheMemoryOnly }

    /// Whether a prefetch has to do more than to store the bytes on disk.
    var warmsPicture: Bool {
        isProcessed || !keepsOriginal || options.cache.alsoPrefetchToMemory || options.process.backgroundDecode
    }

    /// Whether the processed image is stored on disk.
    var keepsProcessed: Bool { isProcessed && !options.cache.cacheMemoryOnly }

    var policy: CachePolicy { options.cache.policy }

    /// Returns whether cached bytes have an accepted format and the expected digest.
    func accepts(_ entry: CacheEntry) -> Bool {
        if let formats = options.process.acceptedFormats {
            // An entry that some other program stored may state no format.
            guard let format = entry.facts.format else {
                return entry.facts.verdict != .unreadable && formats.count == ImageFormat.allCases.count
            }
            guard formats.contains(format) else { return false }
        }
        guard let expected = options.download.sha256 else { return true }
        return ContentName(entry.contentName)?.digest.hexadecimal == expected
    }

    /// Returns whether an expired entry is accepted if its server is unavailable.
    func serves(expired entry: CacheEntry) -> Bool {
        guard let limit = expiredLimit, let disk = originals.disk else { return false }
        return accepts(entry) && entry.hasExpired(within: limit, of: disk.now())
    }

    /// The time after its expiration for which an entry is accepted if its server is unavailable; nil for never.
    var expiredLimit: Duration? {
        policy == .cacheFirst || policy == .cacheOnlyEvenExpired ? options.cache.expiredGracePeriod : nil
    }

    var diskExtending: ExpirationExtending { options.cache.diskCacheAccessExtendingExpiration }

    var bytesKey: BytesKey {
        BytesKey(
            source: source.cacheKey, policy: policy, cache: ObjectIdentifier(originals),
            downloader: options.download.downloader.map(Self.identity), expiredLimit: expiredLimit,
            sha256: options.download.sha256)
    }

    private static func identity(of downloader: any DataDownloading) -> ObjectIdentifier {
        let type = type(of: downloader)
        return type is AnyClass ? ObjectIdentifier(downloader as AnyObject) : ObjectIdentifier(type)
    }

    /// The limits of decoders, with the page that the processor selects.
    var decodeLimits: DecodeLimits {
        var limits = options.process.limits
        if let page = processor.steps.first?.decodePage { limits.page = page }
        return limits
    }

    var decodeKey: DecodeKey {
        DecodeKey(
            bytes: bytesKey, storesOriginal: keepsOriginal, box: ChainedImageProcessor([processor]).decodeBox,
            limits: options.process.limits.preparing(processor), animation: options.process.animation)
    }

    var loadKey: LoadKey {
        LoadKey(
            step: StepKey(decode: decodeKey, identifier: processor.identifier), cache: ObjectIdentifier(target),
            isOnDisk: keepsProcessed, waits: options.cache.waitForCache)
    }

    /// The key of the image in memory.
    var memoryKey: String { ImageCache.memoryKey(source.cacheKey, processor.identifier) }

    var originalKey: CacheEntryKey { CacheEntryKey(source: source.cacheKey) }

    var processedKey: CacheEntryKey { processedKey(of: processor.identifier) }

    /// Returns the key on disk of the image after a chain of processors.
    func processedKey(of identifier: String) -> CacheEntryKey {
        ImageCache.diskKey(source.cacheKey, identifier)
    }

    /// Returns the facts of a still picture; none if its format is nil.
    func facts(size: PixelSize? = nil, format: ImageFormat? = nil) -> CacheEntryFacts {
        CacheEntryFacts(
            format: format, size: size, frames: format == nil ? nil : 1, url: source.shownAddress,
            host: source.url?.host()?.lowercased() ?? "")
    }
}

/// The bytes of a source and their origin.
struct FetchedData: Sendable {
    var data: Data
    var cacheType: ImageCache.CacheType
    /// The download; nil if the bytes did not come over the network.
    ///
    /// If the server confirmed that expired bytes are still valid, its validators are the current ones and its own data
    /// is empty.
    @Shared var download: Download?
    /// Whether the disk entry was renewed, so that the bytes need no store.
    var isRenewed = false
    /// The reason why the bytes are not on disk although they should be.
    var storeProblem: ImageError?
    /// The time to check and store the bytes; nil if they were not stored.
    var storeTime: Duration?
    /// The error of a damaged picture, which is not stored; a load for display shows its intact part.
    var rejection: ImageError?
    /// The facts that the check before the store found; nil if the bytes were not checked.
    var check: ImageFacts?

    /// The entry on disk; nil for fetched bytes.
    @Shared var entry: CacheEntry?

    /// Whether the server confirmed that the expired bytes on disk are still valid.
    var isRevalidated: Bool { download?.isNotModified ?? false }
    var metrics: DownloadMetrics? { download?.metrics }
}

extension FetchedData {
    /// Creates the result of finding an entry on disk, without its bytes if they are not needed.
    init(_ data: Data = Data(), of entry: CacheEntry) {
        self.init(data: data, cacheType: .disk)
        self.entry = entry
    }

    /// Whether the entry was found and its bytes were not read.
    var lacksBytes: Bool { data.isEmpty && entry?.length ?? 0 > 0 }
}

/// An image between two stages, with the bytes it was made from.
struct StagedImage: Sendable {
    var image: Image
    var origin: FetchedData
    /// The share of the memory budget that the image holds until its last stage is done.
    var memory: ResourceBudget.Lease?
}

extension Source {
    var isWorthCachingOnDisk: Bool {
        if case .provider(let provider) = self { return provider.isWorthCachingOnDisk }
        return true
    }

    /// The address without credentials and secret values, for the index and for display.
    var shownAddress: String { Redaction.shown(url?.absoluteString ?? cacheKey) }
}

extension Duration {
    /// The duration in whole milliseconds, clamped to the range of `Int`.
    package var milliseconds: Int {
        let (seconds, attoseconds) = components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, isStillTooLong) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        if isTooLong || isStillTooLong { return seconds < 0 ? .min : .max }
        return Int(clamping: sum)
    }
}
