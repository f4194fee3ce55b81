import Foundation
import Raster

/// One load: a source and how it is wanted; every stage's key comes from here.
struct LoadRequest: Sendable {
    let source: Source
    let options: ImageOptions

    var isProcessed: Bool { !options.process.processor.identifier.isEmpty }

    /// The original is what the disk keeps unless only its processed form is wanted.
    var keepsOriginal: Bool { !isProcessed || options.cache.cacheOriginalImage }

    var dataKey: DataKey {
        DataKey(
            source: source.cacheKey, isRefresh: options.cache.forceRefresh, isCacheOnly: options.cache.onlyFromCache)
    }

    var pictureKey: PictureKey {
        PictureKey(
            source: source.cacheKey, processor: options.process.processor.identifier,
            isRefresh: options.cache.forceRefresh, isCacheOnly: options.cache.onlyFromCache)
    }

    var originalKey: CacheEntryKey { CacheEntryKey(source: source.cacheKey) }

    var processedKey: CacheEntryKey {
        CacheEntryKey(
            source: source.cacheKey, processor: options.process.processor.identifier, kind: .processed)
    }

    func facts(size: PixelSize, format: ImageFormat) -> CacheEntryFacts {
        CacheEntryFacts(
            format: format, size: size, frames: 1, url: source.shownAddress, host: source.url?.host() ?? "")
    }
}

/// Bytes and how they were had.
struct FetchedData: Sendable {
    var data: Data
    var cacheType: ImageCache.CacheType
    var isProvenWhole: Bool
    var etag: String?
    var lastModified: String?
    var metrics: DownloadMetrics?
    /// Why the bytes are not on disk although they should be.
    var storeProblem: ImageError?
}

extension Source {
    var isWorthCachingOnDisk: Bool {
        if case .provider(let provider) = self { return provider.isWorthCachingOnDisk }
        return true
    }

    /// The address without credentials, for the index and for people.
    var shownAddress: String {
        guard let url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return cacheKey }
        parts.user = nil
        parts.password = nil
        return parts.string ?? cacheKey
    }
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
