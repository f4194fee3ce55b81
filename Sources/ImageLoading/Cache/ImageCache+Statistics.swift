/// Statistics of both tiers.
package struct ImageCacheStatistics: Sendable, Hashable {
    /// The disk tier, with the look-ups of both tiers; nil if it is unavailable.
    package var disk: CacheStatistics?
    /// The total cost of the entries in memory, in bytes.
    package var memoryBytes: Int
    /// The cost limit of the memory tier, in bytes.
    package var memoryLimit: Int
    /// The number of images in memory.
    package var memoryEntries: Int

    package init(disk: CacheStatistics?, memoryBytes: Int, memoryLimit: Int, memoryEntries: Int) {
        self.disk = disk
        self.memoryBytes = memoryBytes
        self.memoryLimit = memoryLimit
        self.memoryEntries = memoryEntries
    }
}

extension ImageCache {
    /// Returns the statistics of both tiers; the hit counts include this process's latest memory hits.
    package func statistics() async -> ImageCacheStatistics {
        await noteMemoryHits()
        return ImageCacheStatistics(
            disk: try? await disk?.statistics(), memoryBytes: memory.totalCost, memoryLimit: memory.totalCostLimit,
            memoryEntries: memory.count)
    }

    /// Writes the pending changes of the disk tier and the counted memory hits.
    public func flush() async {
        await noteMemoryHits()
        await disk?.flush()
    }

    /// Adds the memory's hits to the disk tier's counts; memory hits are counted apart because they must not wait.
    private func noteMemoryHits() async {
        let hits = memory.takeHits()
        if hits > 0 { await disk?.count(memoryHits: hits) }
    }
}
