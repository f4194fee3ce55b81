import Foundation
import Retrying

/// One picture to prefetch.
public struct PrefetchItem: Sendable {
    /// The caller's name for it.
    public let id: Int
    /// What to fetch.
    public let source: Source
    /// 0…1, 0.5 by default: higher is sooner, equals keep their order.
    public internal(set) var priority: Double
    /// How this one is loaded; as the prefetcher loads all of them when nil, the default.
    public var options: ImageOptions?
    /// What is kept of the picture besides its bytes; nothing by default.
    public var variants: [any ImageProcessor] = []

    public init(id: Int, source: Source, priority: Double = 0.5) {
        self.id = id
        self.source = source
        self.priority = priority
    }
}

/// What a prefetcher tells, item by item; each item ends with exactly one `finished` or `failed`.
public enum PrefetchEvent: Sendable {
    /// A transfer begins, at each attempt; items that a cache has do not start.
    case started(Int)
    /// Bytes so far, of a transfer or a provider.
    case progress(Int, DownloadProgress)
    /// An attempt failed; the one with this number, from 2, comes after the delay.
    case retrying(Int, attempt: Int, error: ImageError, delay: Duration)
    /// The item's host takes no requests now; the item waits without a place, for about the delay.
    case parked(Int, HostRejection)
    /// The status that the item's server had answered with when it failed all the same, and where redirects had led.
    case answered(Int, statusCode: Int, redirects: [URL])
    /// The item is kept, or was; the tier tells which.
    case finished(Int, DataResult)
    /// Told of every host of the pipeline, before what led to it.
    case hostChanged(HostEvent)
    /// Cancelled items end here too, with an error that says so.
    case failed(Int, ImageError)
}
