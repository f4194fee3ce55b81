import Support

extension ImageCache {
    /// Returns a stream of the entries that are removed from either tier from now on, with the reasons.
    ///
    /// There can be any number of listeners; without one, no events are recorded. Removals by other processes that
    /// share the disk are not reported. The stream finishes when the cache is released.
    ///
    /// - Parameter bufferLimit: The number of buffered events, 1,024 by default; a slow listener loses the oldest ones.
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
