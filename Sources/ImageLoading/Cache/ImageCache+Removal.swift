/// Removing entries from the tiers; without a disk tier, removal from disk does nothing.
extension ImageCache {
    /// Removes the image of a source and processor, by default from both tiers.
    ///
    /// - Throws: `DiskCacheError.unavailable`; the image is removed from memory even then.
    public func removeImage(
        forKey key: String, processorIdentifier: String = "", fromMemory: Bool = true, fromDisk: Bool = true
    ) async throws(DiskCacheError) {
        if fromMemory { memory.removeValue(forKey: Self.memoryKey(key, processorIdentifier)) }
        if fromDisk { try await disk?.remove(source: key, processor: processorIdentifier) }
    }

    /// Removes all images of a source from both tiers, with any processor.
    ///
    /// Complexity: O(entries in memory).
    ///
    /// - Returns: The number of removed entries.
    @discardableResult
    public func removeImages(forKey key: String) async throws(DiskCacheError) -> Int {
        let removed = memory.removeValues { $0 == key || $0.hasPrefix(Self.memoryKey(key, " ").dropLast()) }
        return removed + (try await disk?.remove(source: key) ?? 0)
    }

    /// Removes every image from memory.
    public func clearMemoryCache() { memory.removeAll() }

    /// Removes every entry from the disk, including pinned ones and those of other kinds.
    ///
    /// - Throws: `DiskCacheError.unavailable`.
    public func clearDiskCache() async throws(DiskCacheError) { try await disk?.removeAll() }

    /// Removes every expired image from memory; returns their number.
    @discardableResult
    public func cleanExpiredMemoryCache() -> Int { memory.removeExpired() }

    /// Removes every expired entry from the disk, except pinned ones; returns their number.
    ///
    /// The size limit does not need it: every store removes expired entries first.
    @discardableResult
    public func cleanExpiredDiskCache() async throws(DiskCacheError) -> Int { try await disk?.removeExpired() ?? 0 }
}
