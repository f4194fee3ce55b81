import FoundationEssentials
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

    /// Creates an item; `id` must differ from that of all others.
    public init(id: Int, source: Source, priority: Double = 0.5) {
        (self.id, self.source, self.priority) = (id, source, priority)
    }
}

/// An event of a prefetcher, with the identifier of its item; each item ends with exactly one `finished` or `failed`.
public enum PrefetchEvent: Sendable {
    /// An event of the item's load; `received` and `partial` are not sent, and items that a cache has do not start.
    case load(PrefetchItem.ID, LoadEvent)
    /// The item is in the cache; the result's tier says where it came from.
    case finished(PrefetchItem.ID, DataResult)
    /// The state of one of the pipeline's hosts changed; sent before the event that caused the change.
    case hostChanged(HostEvent)
    /// The item failed; a cancelled item fails with a cancellation error.
    case failed(PrefetchItem.ID, ImageError)
}

/// The outcomes of a prefetcher's items: each item is in exactly one list, and lists keep the input order.
public struct PrefetchResults: Sendable {
    private enum Outcome: Sendable {
        case skipped, completed
        case failed(ImageError)
    }

    /// An item that failed, with its error.
    public struct Failure: Sendable {
        /// The item that failed.
        public let item: PrefetchItem
        /// The error; a cancellation for cancelled items, started or not.
        public let error: ImageError
    }

    private var items: [PrefetchItem] = []
    private var known: Set<Int> = []
    private var outcomes: [Int: Outcome] = [:]

    /// The items that were in a cache already.
    public var skipped: [PrefetchItem] {
        items.filter { if case .skipped = outcomes[$0.id] { true } else { false } }
    }

    /// The items that were fetched and stored.
    public var completed: [PrefetchItem] {
        items.filter { if case .completed = outcomes[$0.id] { true } else { false } }
    }

    /// The items that failed, including cancelled ones, with their errors.
    public var failed: [Failure] {
        items.compactMap { item in
            guard case .failed(let error) = outcomes[item.id] else { return nil }
            return Failure(item: item, error: error)
        }
    }

    /// The items that are not done yet.
    public var unfinished: [PrefetchItem] { items.filter { outcomes[$0.id] == nil } }

    /// Adds an item; an item with a known id is ignored.
    mutating func add(_ item: PrefetchItem) {
        if known.insert(item.id).inserted { items.append(item) }
    }

    mutating func record(_ id: Int, _ result: Result<DataResult, ImageError>) {
        outcomes[id] =
            switch result {
            case .success(let data): data.cacheType == .none ? .completed : .skipped
            case .failure(let error): .failed(error)
            }
    }
}
