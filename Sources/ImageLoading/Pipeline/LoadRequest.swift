import Foundation
import Raster

/// One load: a source and how it is wanted; every stage's key comes from here.
///
/// A class, as every step holds it: a copy of the options takes as long as a look into the memory.
final class LoadRequest: Sendable {
    let source: Source
    let options: ImageOptions
    /// For processed pictures.
    let target: ImageCache
    /// For original bytes.
    let originals: ImageCache
    /// At the scale that is asked for.
    let processor: any ImageProcessor
    /// Whether its bytes are a list, not a picture.
    let isDocument: Bool
    /// Whether the disk was asked just now and has nothing.
    let isKnownMissing: Bool

    init(
        source: Source, options: ImageOptions, cache: ImageCache, isDocument: Bool = false, isKnownMissing: Bool = false
    ) {
        self.source = source
        self.options = options
        self.isDocument = isDocument
        self.isKnownMissing = isKnownMissing
        target = options.cache.targetCache ?? cache
        originals = options.cache.originalCache ?? target
        processor = options.process.scaledProcessor
    }

    var isProcessed: Bool { !processor.identifier.isEmpty }

    /// The original is what the disk keeps unless only its processed form is wanted, or only memory is.
    var keepsOriginal: Bool { options.cache.cacheOriginalImage || !isProcessed && !options.cache.cacheMemoryOnly }

    /// Whether a prefetch has more to do than to bring the bytes to disk.
    var warmsPicture: Bool {
        isProcessed || !keepsOriginal || options.cache.alsoPrefetchToMemory || options.process.backgroundDecode
    }

    /// Whether the processed picture goes to disk.
    var keepsProcessed: Bool { isProcessed && !options.cache.cacheMemoryOnly }

    var lookUp: LookUp {
        if options.cache.takesExpired { return .evenExpired }
        if options.cache.forceRefresh { return .nowhere }
        if options.cache.onlyFromCache { return .cacheOnly }
        if options.cache.revalidates { return .validating }
        return options.cache.fromMemoryCacheOrRefresh ? .memoryOnly : .everywhere
    }

    /// Whether bytes in a cache are those that are wanted.
    func accepts(_ entry: CacheEntry) -> Bool {
        guard let expected = options.download.sha256 else { return true }
        return ContentName(entry.contentName)?.digest.hexadecimal == expected
    }

    /// Whether an expired entry will do where its server cannot be asked.
    func serves(expired entry: CacheEntry) -> Bool {
        guard let limit = expiredLimit, let disk = originals.disk else { return false }
        return accepts(entry) && entry.hasExpired(within: limit, of: disk.now())
    }

    /// For how long after its end an entry will do where its server cannot be asked; nil where it will not.
    var expiredLimit: Duration? { lookUp == .everywhere || lookUp == .evenExpired ? options.cache.servesExpired : nil }

    var diskExtending: ExpirationExtending { options.cache.diskCacheAccessExtendingExpiration }

    func bytesKey(isKept: Bool) -> BytesKey {
        BytesKey(
            BytesIdentity(
                source: source.cacheKey, lookUp: lookUp, cache: ObjectIdentifier(originals), isKept: isKept,
                downloader: options.download.downloader.map(Self.identity), expiredLimit: expiredLimit,
                sha256: options.download.sha256))
    }

    private static func identity(of downloader: any DataDownloading) -> ObjectIdentifier {
        let type = type(of: downloader)
        return type is AnyClass ? ObjectIdentifier(downloader as AnyObject) : ObjectIdentifier(type)
    }

    var decodeKey: DecodeKey {
        DecodeKey(
            bytes: bytesKey(isKept: keepsOriginal), box: processor.steps.first?.decodeBox,
            limits: options.process.limits, animation: options.process.animation)
    }

    var loadKey: LoadKey {
        LoadKey(
            step: StepKey(decode: decodeKey, identifier: processor.identifier), cache: ObjectIdentifier(target),
            isOnDisk: keepsProcessed, waits: options.cache.waitForCache)
    }

    /// What the memory knows the picture by.
    var memoryKey: String { ImageCache.memoryKey(source.cacheKey, processor.identifier) }

    var originalKey: CacheEntryKey { CacheEntryKey(source: source.cacheKey) }

    var processedKey: CacheEntryKey { processedKey(of: processor.identifier) }

    /// What the disk knows the picture by after a chain of processors.
    func processedKey(of identifier: String) -> CacheEntryKey {
        CacheEntryKey(source: source.cacheKey, processor: identifier, kind: .processed)
    }

    func facts(size: PixelSize, format: ImageFormat) -> CacheEntryFacts {
        CacheEntryFacts(
            format: format.rawValue, size: size, frames: 1, url: source.shownAddress,
            host: source.url?.host()?.lowercased() ?? "")
    }
}

/// Bytes and how they were had.
struct FetchedData: Sendable {
    var data: Data
    var cacheType: ImageCache.CacheType
    /// What the transfer said of them; nil where they did not come over the network.
    ///
    /// Where they still hold, its validators are those that do, and its own data is empty.
    @Shared var download: Download?
    /// Whether the disk tier has them with a life begun anew, so that they need no store.
    var isRenewed = false
    /// Why the bytes are not on disk although they should be.
    var storeProblem: ImageError?
    /// What checking and storing them took; nil where they were not stored.
    var storeTime: Duration?

    /// Whether they lay here, expired, and the server said that they still hold.
    var isRevalidated: Bool { download?.isNotModified ?? false }
    var metrics: DownloadMetrics? { download?.metrics }
}

/// A picture between two stages, with the bytes it was made from.
struct StagedImage: Sendable {
    var image: Image
    var origin: FetchedData
    /// The share of memory that it holds until its last step is done.
    var memory: ResourceBudget.Lease?
}

extension Source {
    var isWorthCachingOnDisk: Bool {
        if case .provider(let provider) = self { return provider.isWorthCachingOnDisk }
        return true
    }

    /// The address without credentials and secret values, for the index and for people.
    var shownAddress: String { AddressText.shown(url?.absoluteString ?? cacheKey) }
}

extension Duration {
    /// Whole milliseconds, clamped to what an Int can hold.
    public var milliseconds: Int {
        let (seconds, attoseconds) = components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, isStillTooLong) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        if isTooLong || isStillTooLong { return seconds < 0 ? .min : .max }
        return Int(clamping: sum)
    }
}
