import Support

extension ImageCache {
    /// What leaves either tier from now on, and why.
    ///
    /// Any number may listen. A listener that is too slow loses the oldest of `bufferLimit` events, 1,024 by default;
    /// while nobody listens, nothing is noted. What other processes remove from a shared disk is not told. The stream
    /// ends with the cache.
    public func evictions(bufferLimit: Int = 1024) -> AsyncStream<CacheEviction> {
        AsyncStream(bufferingPolicy: .bufferingNewest(max(1, bufferLimit))) { continuation in
            let subscriptions = [memory.evictions, disk?.evictions].compactMap {
                $0?.subscribe {
                    continuation.yield($0)
                } onFinish: {
                    continuation.finish()
                }
            }
            continuation.onTermination = { _ in subscriptions.forEach { $0.cancel() } }
        }
    }
}
