import FoundationEssentials
import Raster
import Synchronization

/// Eviction for the size limit and for free space.
extension DiskStorage {
    /// The maximum size after a trim, 90 % of the limit in bytes.
    ///
    /// A larger content would evict everything else and then itself.
    var trimmedSize: Int { configuration.sizeLimit / 10 * 9 }

    /// Evicts down to 90 % of the size limit.
    func trim(_ index: DiskIndex) async throws {
        while true {
            let excess = try index.totalSpace() - trimmedSize
            let candidates = try await index.evictionCandidates(forBytes: excess, now: now(), slice: 256)
            guard !candidates.isEmpty else { return }
            try await evict(candidates, for: .sizeLimit, index)
        }
    }

    /// The file system has too little space, and eviction did not help.
    struct InsufficientSpace: Error {
        let minimum: Int
    }

    /// Evicts entries until the file system has space for a new entry.
    ///
    /// Evicts nothing if even an empty cache would not be enough. Some file systems free space with a delay: if
    /// evicting freed none, stores in the next minute fail without another attempt.
    ///
    /// - Throws: `InsufficientSpace` if there is still too little space.
    func evict(toFit entry: CacheEntry, _ index: DiskIndex) async throws {
        let bytes = entry.length
        guard let shortage = shortage(for: bytes), try !index.holdsContent(named: entry.contentName) else {
            return isOutOfSpace.withLock { $0 = false }
        }
        var left = shortage
        if !hasRecentFailedEviction, try index.totalSpace() >= shortage {
            while left > 0 {
                let candidates = try await index.evictionCandidates(forBytes: left, now: now(), slice: 256)
                if candidates.isEmpty { break }
                let before = try index.totalSpace()
                try await evict(candidates, for: .freeSpace, index)
                left -= before - (try index.totalSpace())
            }
            guard self.shortage(for: bytes) != nil else { return }
            recordFailedEviction()
        }
        isOutOfSpace.withLock { $0 = true }
        throw InsufficientSpace(minimum: configuration.minimumFreeSpace)
    }

    /// Returns the number of bytes that the file system lacks; nil if it lacks none or its free space is unknown.
    private func shortage(for bytes: Int) -> Int? {
        guard let free = freeSpace(folder.path) else { return nil }
        let (needed, isTooMuch) = configuration.minimumFreeSpace.addingReportingOverflow(bytes)
        let shortage = (isTooMuch ? .max : needed) - max(0, free)
        return shortage > 0 ? shortage : nil
    }

    /// Whether the last store failed because the file system had too little space and eviction did not help.
    package var lacksSpace: Bool { isOutOfSpace.withLock(\.self) }

    func recordFailedEviction() { lastFailedEviction.withLock { $0 = now() } }

    private var hasRecentFailedEviction: Bool {
        let moment = now()
        return lastFailedEviction.withLock { $0.map { abs(moment.timeIntervalSince($0)) < 60 } ?? false }
    }

    /// Evicts some entries after the file system itself refused a write of `bytes` bytes.
    ///
    /// Writes the index's log into the index first, as the log may be what takes the space.
    ///
    /// - Returns: Whether there were entries to evict.
    func evictSome(for bytes: Int, _ index: DiskIndex) async throws -> Bool {
        guard !hasRecentFailedEviction else { return false }
        try? await index.writePending()
        let aim = max(BlobStore.space(bytes) + BlobStore.block, try index.totalSpace() / 64)
        let candidates = try await index.evictionCandidates(forBytes: aim, now: now(), slice: 256)
        try await evict(candidates, for: .freeSpace, index)
        return !candidates.isEmpty
    }

    private func evict(
        _ candidates: DiskIndex.EvictionCandidates, for reason: EvictionReason, _ index: DiskIndex
    ) async throws {
        let damaged = try await index.remove(ids: candidates.damaged, sparesPinned: true)
        notify(damaged.keys, .damaged)
        for (ids, reason) in [(candidates.expired, .expired), (candidates.leastRecent, reason)] where !ids.isEmpty {
            let removed = try await index.remove(ids: ids, counting: .evicted(reason), sparesPinned: true)
            recordEviction(removed, reason)
        }
    }
}
