/// Both tiers in numbers.
public struct ImageCacheStatistics: Sendable, Hashable {
    /// The disk tier, with the look-ups of both; nil where it cannot be asked.
    public var disk: CacheStatistics?
    /// Costs of what the memory holds, in bytes.
    public var memoryBytes: Int
    /// The memory's cost limit, in bytes.
    public var memoryLimit: Int
    /// Pictures in memory.
    public var memoryEntries: Int

    public init(disk: CacheStatistics?, memoryBytes: Int, memoryLimit: Int, memoryEntries: Int) {
        self.disk = disk
        self.memoryBytes = memoryBytes
        self.memoryLimit = memoryLimit
        self.memoryEntries = memoryEntries
    }
}

extension ImageCache {
    /// What both tiers hold and how they do; the memory's hits are in the tallies, this process's last ones too.
    public func statistics() async -> ImageCacheStatistics {
        await noteMemoryHits()
        return ImageCacheStatistics(
            disk: try? await disk?.statistics(), memoryBytes: memory.totalCost, memoryLimit: memory.totalCostLimit,
            memoryEntries: memory.count)
    }

    /// Writes what is pending of the disk tier, and what the memory has counted.
    public func flush() async {
        await noteMemoryHits()
        await disk?.flush()
    }

    /// The memory counts by itself, because a hit there must wait for nothing.
    private func noteMemoryHits() async {
        let hits = memory.takeHits()
        if hits > 0 { await disk?.count(memoryHits: hits) }
    }
}
