import ImageLoading

/// Records the keys that the user removes from the disk cache for a while; evictions are not recorded.
struct CacheDepartures: Sendable {
    /// The removed keys.
    struct Keys: Sendable, Equatable {
        var isEverything = false
        var keys: Set<String> = []

        func contains(_ key: String) -> Bool { isEverything || keys.contains(key) }
    }

    private let listening: Task<Keys, Never>

    /// Starts to record.
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

    /// Stops and returns the keys removed so far.
    func end() async -> Keys {
        listening.cancel()
        return await listening.value
    }
}
