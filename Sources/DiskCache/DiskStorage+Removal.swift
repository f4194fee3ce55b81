import AlcedoFilters
import AlcedoSupport
import FoundationEssentials
import Glibc
import Raster
import Synchronization

/// Removal of entries on request, after expiry and by sweeps.
extension DiskStorage {
    /// Removes entries.
    ///
    /// - Returns: The number of removed entries, and the bytes of contents that no entry uses any more.
    @concurrent @discardableResult
    package func remove(ids: [Int64]) async throws(DiskCacheError) -> CacheAmount {
        try await removing(.removed, .writeByIdentifier) { try await $0.remove(ids: ids) }
    }

    /// Removes the entry of a key, unless it has other bytes or is pinned.
    @concurrent
    package func remove(_ data: Data, of key: CacheEntryKey) async {
        _ = try? await removing(.damaged) { index in
            guard let entry = try index.entry(for: key), !entry.isPinned,
                ContentName(entry.contentName)?.digest == ContentDigest(of: data)
            else { return Removal() }
            return try await index.remove(ids: [entry.id], sparesPinned: true)
        }
    }

    /// Removes the entries of every kind for a source and processor.
    ///
    /// - Returns: The number of removed entries.
    @concurrent @discardableResult
    package func remove(source: String, processor: String) async throws(DiskCacheError) -> Int {
        try await removing(.removed) { try await $0.remove(source: source, processor: processor) }.entries
    }

    /// Removes all entries of a source.
    ///
    /// - Returns: The number of removed entries.
    @concurrent @discardableResult
    package func remove(source: String) async throws(DiskCacheError) -> Int {
        try await removing(.removed) { try await $0.remove(source: source) }.entries
    }

    /// Removes all entries; stores that run in other processes survive.
    ///
    /// On a full file system the index may refuse changes. Then the index file is removed as well, and the next use
    /// creates a new one.
    @concurrent
    package func removeAll() async throws(DiskCacheError) {
        do throws(DiskCacheError) {
            _ = try await removing(.removed) { index in
                try await index.removeAll()
                return Removal()
            }
        } catch {
            guard let free = freeSpace(folder.path), free < 1 << 20, (try? removeWithIndex()) != nil else {
                throw error
            }
        }
        evictions.send(CacheEviction(tier: .disk, key: nil, reason: .cleared))
    }

    private func removeWithIndex() throws {
        guard folder.isReadable, IndexDamage.reset(folder, FileIdentity(folder.index)) else {
            throw InsufficientSpace(minimum: 0)
        }
        try? FileManager.default.removeItem(atPath: folder.index + ".damaged")
        blobs.sweepTemporaryFiles(now: now())
    }

    /// Removes all expired entries that are not pinned, 256 at a time.
    ///
    /// - Returns: The number of removed entries.
    @concurrent @discardableResult
    package func removeExpired() async throws(DiskCacheError) -> Int {
        try await removing(
            .expired, CacheFilter([.matching(PictureFilter(any: [.state(.expired)])), .unpinned]), sparesPinned: true
        ).entries
    }

    /// Removes the entries that a filter selects now, 256 at a time.
    ///
    /// - Returns: The number of removed entries, and the bytes of contents that no entry uses any more.
    @concurrent @discardableResult
    package func remove(_ filter: CacheFilter) async throws(DiskCacheError) -> CacheAmount {
        try await removing(.removed, filter, sparesPinned: false)
    }

    /// Removes the leftovers of killed processes, and entries that have not been used for the configured time.
    ///
    /// Leftovers are temporary files and contents without an entry; they are removed when they are an hour old. Unused
    /// entries are removed at most once a day. They are not removed if the last sweep seems to be longer ago than that
    /// time: the clock may have jumped, and the next day's sweep decides. A last use in the future is set to now. Do
    /// not call this at start-up, where it would delay the first frame.
    ///
    /// - Parameter isDaily: Whether to do nothing within a day of the last sweep; false by default.
    @concurrent
    public func sweep(isDaily: Bool = false) async {
        if isDaily, await wasSweptToday { return }
        if problem == nil {
            blobs.sweepTemporaryFiles(now: now())
            try? FileManager.default.removeItem(atPath: folder.index + ".damaged")
        }
        try? await withIndex(.write) { [self] index in
            try await removeUnused(writtenBefore: anHourAgo, in: index)
            try await index.correctFutureUses(now: now())
            // 1,024 pages are 4 MiB.
            try await index.shrink(pages: 1024)
        }
        try? await removeUnused()
    }

    /// The time before which a content must have been written to be removed as unused; a younger one may still get an
    /// entry.
    var anHourAgo: Date { now() - 3600 }

    /// Removes the content files that no entry uses and that were written before a date.
    func removeUnused(writtenBefore date: Date, in index: DiskIndex) async throws {
        for names in blobs.contents(writtenBefore: date) {
            try Task.checkCancellation()
            try? await index.releaseUnused(names)
        }
    }

    private var wasSweptToday: Bool {
        get async {
            guard let last = try? await withIndex(.read, { try await $0.lastSweep() }) else { return false }
            return Self.day.contains(now().timeIntervalSince(last))
        }
    }

    private static let day = 0..<86_400.0

    private func removeUnused() async throws {
        let moment = now()
        let last = try await withIndex { try await $0.lastSweep() }
        let elapsed = last.map { moment.timeIntervalSince($0) } ?? -1
        guard !Self.day.contains(elapsed) else { return }
        try await withIndex { try await $0.recordSweep(at: moment) }
        let life = configuration.unusedLife / .seconds(1)
        guard elapsed >= 86_400, elapsed <= max(life, 2 * 86_400) else { return }
        let unused = PictureFilter(any: [.number(.unused, .above, life)])
        _ = try await removing(.unused, CacheFilter([.matching(unused), .unpinned]), sparesPinned: true)
    }

    func recordEviction(_ removed: Removal, _ reason: EvictionReason) {
        if let counter = CacheCounter.evicted(reason) { run.withLock { $0.add(counter, removed.keys.count) } }
        notify(removed.keys, reason)
    }

    func removing(
        _ reason: EvictionReason, _ filter: CacheFilter, sparesPinned: Bool
    ) async throws(DiskCacheError) -> CacheAmount {
        let moment = now()
        return try await withIndex(.write) { [self] index in
            var (amount, last) = (CacheAmount(), Int64.min)
            let filter = try await index.resolved(filter)
            while true {
                let ids = try await index.ids(filter, after: last, now: moment, slice: 256)
                guard let newest = ids.last else { return amount }
                let counter = CacheCounter.evicted(reason)
                let removed = try await index.remove(ids: ids, counting: counter, sparesPinned: sparesPinned)
                recordEviction(removed, reason)
                amount = amount + removed.amount
                last = newest
            }
        }
    }

    private func removing(
        _ reason: EvictionReason, _ access: Access = .write,
        _ body: @escaping @Sendable (DiskIndex) async throws -> Removal
    ) async throws(DiskCacheError) -> CacheAmount {
        try await withIndex(access) { [self] index in
            let removed = try await body(index)
            notify(removed.keys, reason)
            return removed.amount
        }
    }
}
