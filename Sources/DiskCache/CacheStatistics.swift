/// The statistics of the disk tier.
package struct CacheStatistics: Sendable, Hashable {
    /// The number of entries, including expired ones.
    package var entries = 0
    /// The bytes of all contents; equal contents count once.
    package var bytes = 0
    /// The disk usage of all contents in bytes, in whole blocks, to which the limit applies.
    package var space = 0
    /// The size limit, in bytes.
    package var limit = 0
    /// The disk usage of the whole cache in bytes, as du(1) counts it: contents, index and folders.
    package var diskBytes = 0
    /// The number of entries that are marked as damaged, up to 1,000.
    package var damagedEntries = 0
    /// The number of expired entries that are not pinned, up to 1,000.
    package var expiredEntries = 0
    /// The counters of this process.
    package var run = CacheTally()
    /// The counters of all processes over the cache's life.
    package var life = CacheTally()

    package init() {}
}
