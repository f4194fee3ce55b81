import Foundation
import Retrying

/// What happens while a picture loads.
public enum LoadEvent: Sendable {
    /// The transfer has a place and begins.
    case started
    /// Bytes so far, of a transfer or a provider.
    case progress(DownloadProgress)
    /// The transfer is over and so many bytes are there; they are checked, kept and decoded now.
    case received(byteCount: Int)
    /// What there is of a picture so far, processed; more will come.
    case partial(Image)
    /// The status that the server had answered with when the load failed all the same, and where redirects had led.
    case answered(statusCode: Int, redirects: [URL])
    /// An attempt failed; the next one comes after the delay.
    case retrying(attempt: Int, error: ImageError, delay: Duration)
    /// The host takes no requests now; the transfer waits for its turn and then starts.
    case parked(HostRejection)
}

/// A finished load.
public struct ImageResult: Sendable {
    /// The picture, processed, and edited by the image modifier.
    public var image: Image
    /// The request's own number: larger than those of all requests before it.
    public var identifier = 0
    /// The tier that answered; `.none` for the network and providers.
    public var cacheType: ImageCache.CacheType
    /// Of the transfer, when there was one.
    public var metrics: DownloadMetrics?
    /// Why a picture is handed out that has expired: its server could not be asked; nil for all others.
    public var expiredBecause: ImageError?
    /// Why the picture is not on disk although it should be, as far as the stores were waited for.
    public var storeProblem: ImageError?
}

/// The bytes of a source, wherever they came from.
public struct DataResult: Sendable {
    /// The tier that had them; `.none` for the network and providers.
    public var cacheType: ImageCache.CacheType
    /// How many bytes the file has.
    public var byteCount: Int
    /// Of the transfer, when there was one.
    @Shared public var metrics: DownloadMetrics?
    /// Who answered, behind redirects and of several sources; nil when nobody was asked.
    public var url: URL?
    /// Whether the server was only asked if what had expired here still holds.
    public var isRevalidated: Bool
    /// Whether they have expired and will do as their server could not be asked.
    public var isExpired = false
    /// What checking and storing the bytes took; nil where they were not stored.
    public var store: Duration?
    /// What decoding, processing and storing the variants took; nil where there were none.
    public var decode: Duration?

    public init(
        cacheType: ImageCache.CacheType, byteCount: Int, metrics: DownloadMetrics?, isRevalidated: Bool = false
    ) {
        self.cacheType = cacheType
        self.byteCount = byteCount
        self.metrics = metrics
        self.isRevalidated = isRevalidated
    }
}
