/// How a prefetcher's items ended: each is in exactly one list, and the lists are in the order of the input.
public struct PrefetchResults: Sendable {
    private enum Outcome: Sendable {
        case skipped, completed
        case failed(ImageError)
    }

    /// An item that came to nothing, and why.
    public struct Failure: Sendable {
        /// What came to nothing.
        public let item: PrefetchItem
        /// A cancellation for items that were given up, started or not.
        public let error: ImageError
    }

    private var items: [PrefetchItem] = []
    private var known: Set<Int> = []
    private var outcomes: [Int: Outcome] = [:]

    /// Were in a cache already.
    public var skipped: [PrefetchItem] {
        items.filter { if case .skipped = outcomes[$0.id] { true } else { false } }
    }

    /// Were fetched and kept.
    public var completed: [PrefetchItem] {
        items.filter { if case .completed = outcomes[$0.id] { true } else { false } }
    }

    /// Came to nothing, and why; those given up are among them.
    public var failed: [Failure] {
        items.compactMap { item in
            guard case .failed(let error) = outcomes[item.id] else { return nil }
            return Failure(item: item, error: error)
        }
    }

    /// Have not ended yet.
    public var unfinished: [PrefetchItem] { items.filter { outcomes[$0.id] == nil } }

    /// Takes an item in; one with a known id is the same item.
    mutating func add(_ item: PrefetchItem) {
        if known.insert(item.id).inserted { items.append(item) }
    }

    mutating func end(_ id: Int, _ result: Result<DataResult, ImageError>) {
        outcomes[id] =
            switch result {
            case .success(let data): data.cacheType == .none ? .completed : .skipped
            case .failure(let error): .failed(error)
            }
    }
}
