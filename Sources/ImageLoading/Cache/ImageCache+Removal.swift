/// What is taken out of the tiers; a missing disk tier has nothing to lose.
extension ImageCache {
    /// Removes one picture, that of a source and processor, from both tiers unless told otherwise.
    ///
    /// Throws `DiskCacheError.unavailable`; the memory tier is done with then.
    public func removeImage(
        forKey key: String, processorIdentifier: String = "", fromMemory: Bool = true, fromDisk: Bool = true
    ) async throws(DiskCacheError) {
        if fromMemory { memory.removeValue(forKey: Self.memoryKey(key, processorIdentifier)) }
        if fromDisk { try await disk?.remove(source: key, processor: processorIdentifier) }
    }

    /// Removes everything that belongs to a source from both tiers, whatever it was processed with; answers how many
    /// entries there were.
    ///
    /// Complexity: O(entries in memory).
    @discardableResult
    public func removeImages(forKey key: String) async throws(DiskCacheError) -> Int {
        let removed = memory.removeValues { $0 == key || $0.hasPrefix(Self.memoryKey(key, " ").dropLast()) }
        return removed + (try await disk?.remove(source: key) ?? 0)
    }

    /// Lets go of every picture in memory.
    public func clearMemoryCache() { memory.removeAll() }

    /// Removes every entry on disk, pinned ones and those of other kinds too; throws `DiskCacheError.unavailable`.
    public func clearDiskCache() async throws(DiskCacheError) { try await disk?.removeAll() }

    /// Lets go of every expired picture in memory; answers how many there were.
    @discardableResult
    public func cleanExpiredMemoryCache() -> Int { memory.removeExpired() }

    /// Removes every expired entry on disk, pinned ones excepted; answers how many there were.
    ///
    /// Not needed to keep the size limit, for which expired entries go first at every store.
    @discardableResult
    public func cleanExpiredDiskCache() async throws(DiskCacheError) -> Int { try await disk?.removeExpired() ?? 0 }
}
