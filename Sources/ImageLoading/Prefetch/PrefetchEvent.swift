import Foundation
import Retrying

/// One image to prefetch.
public struct PrefetchItem: Sendable, Identifiable {
    /// The number that the caller chose for the item.
    public let id: Int
    /// The source of the image.
    public let source: Source
    /// The priority, 0…1, 0.5 by default; higher starts sooner, and equal priorities keep their order.
    public internal(set) var priority: Double
    /// The options for this item; the prefetcher's options if nil, the default.
    public var options: ImageOptions?
    /// The processors whose results are stored besides the original bytes; none by default.
    public var variants: [any ImageProcessor] = []

    public init(id: Int, source: Source, priority: Double = 0.5) {
        self.id = id
        self.source = source
        self.priority = priority
    }
}

/// An event of a prefetcher, with the identifier of its item; each item ends with exactly one `finished` or `failed`.
public enum PrefetchEvent: Sendable {
    /// A transfer starts, at each attempt; items that a cache has do not start.
    case started(PrefetchItem.ID)
    /// The number of bytes so far, from a transfer or a provider.
    case progress(PrefetchItem.ID, DownloadProgress)
    /// An attempt failed; the attempt with this number, 2 or more, starts after the delay.
    case retrying(PrefetchItem.ID, attempt: Int, error: ImageError, delay: Duration)
    /// The item's host accepts no requests now; the item waits outside the limits, for about the given delay.
    case parked(PrefetchItem.ID, HostRejection)
    /// The status code and the redirects of the last response to an item that failed after it.
    case answered(PrefetchItem.ID, statusCode: Int, redirects: [URL])
    /// The bytes that arrived for the item are refused; it fails after this event.
    case refused(PrefetchItem.ID, DataResult)
    /// The item is in the cache; the result's tier says where it came from.
    case finished(PrefetchItem.ID, DataResult)
    /// The state of one of the pipeline's hosts changed; sent before the event that caused the change.
    case hostChanged(HostEvent)
    /// The item failed; a cancelled item fails with a cancellation error.
    case failed(PrefetchItem.ID, ImageError)
}
