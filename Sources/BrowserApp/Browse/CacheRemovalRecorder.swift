import ImageLoading

/// Records the keys that the user removes from the disk cache for a while; evictions are not recorded.
struct CacheRemovalRecorder: Sendable {
    /// The removed keys, without secret values.
    struct Keys: Sendable, Equatable {
        var isEverything = false
        var keys: Set<String> = []

        func contains(_ key: String) -> Bool { isEverything || keys.contains(AddressText.shown(key)) }
    }

    private let recording: Task<Keys, Never>

    /// Starts to record.
    init(from cache: ImageCache) {
        let evictions = cache.evictions(bufferLimit: .max)
        recording = Task {
            var removed = Keys()
            for await eviction in evictions where eviction.tier == .disk && eviction.processorIdentifier.isEmpty {
                guard [.removed, .cleared].contains(eviction.reason) else { continue }
                if let key = eviction.key { removed.keys.insert(key) } else { removed.isEverything = true }
            }
            return removed
        }
    }

    /// Stops and returns the keys removed so far.
    func finish() async -> Keys {
        recording.cancel()
        return await recording.value
    }
}
