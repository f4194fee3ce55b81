import ImageLoading

/// The keys of what the user takes out of the disk cache for a while; what is evicted meanwhile is not among them.
struct CacheDepartures: Sendable {
    /// What has left.
    struct Keys: Sendable, Equatable {
        var isEverything = false
        var keys: Set<String> = []

        func contains(_ key: String) -> Bool { isEverything || keys.contains(key) }
    }

    private let listening: Task<Keys, Never>

    /// Hears of it from now on.
    init(from cache: ImageCache) {
        let evictions = cache.evictions(bufferLimit: .max)
        listening = Task {
            var gone = Keys()
            for await eviction in evictions where eviction.tier == .disk && eviction.processorIdentifier.isEmpty {
                guard [.removed, .cleared].contains(eviction.reason) else { continue }
                if let key = eviction.key { gone.keys.insert(key) } else { gone.isEverything = true }
            }
            return gone
        }
    }

    /// Answers what has left up to now.
    func end() async -> Keys {
        listening.cancel()
        return await listening.value
    }
}
