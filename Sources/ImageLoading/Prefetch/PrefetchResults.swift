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
