import Foundation

/// What goes because it was asked to, or because its time has come.
extension DiskStorage {
    /// Removes entries; answers how many there were.
    @concurrent @discardableResult
    public func remove(ids: [Int64]) async throws(ImageError) -> Int {
        try await removing(.removed) { try await $0.remove(ids: ids) }
    }

    /// Removes what a source and processor have, of every kind; answers how many entries there were.
    @concurrent @discardableResult
    public func remove(source: String, processor: String) async throws(ImageError) -> Int {
        try await removing(.removed) { try await $0.remove(source: source, processor: processor) }
    }

    /// Removes all that belongs to a source; answers how many entries there were.
    @concurrent @discardableResult
    public func remove(source: String) async throws(ImageError) -> Int {
        try await removing(.removed) { try await $0.remove(source: source) }
    }

    /// Removes every entry of every kind; other processes' running stores survive it.
    @concurrent
    public func removeAll() async throws(ImageError) {
        _ = try await removing(.removed) { index in
            try await index.removeAll { [blobs] in try blobs.removeAll() }
            return []
        }
        listeners.tell([CacheEviction(tier: .disk, key: nil, reason: .cleared)])
    }

    /// Removes every entry whose time has come and that is not pinned, a slice at a time; answers how many.
    @concurrent @discardableResult
    public func removeExpired() async throws(ImageError) -> Int {
        let moment = now()
        return try await removingSlices(.expired) { try await $0.expired(now: moment, slice: 256) }
    }

    /// Removes what a killed process left, and entries that nobody has used for 90 days.
    ///
    /// A killed process leaves temporary files and contents without an entry; both go when they are an hour old. Unused
    /// entries go once a day at most, and not when the clock says that no sweep was for so long: it may have jumped, and
    /// the next day's sweep will tell. Entries that were used in the future were used now. Never at start, where it
    /// would delay the first frame.
    @concurrent
    public func sweep() async {
        _ = blobs.sweepTemporaryFiles(now: now())
        try? await withIndex { index in
            for names in blobs.oldContents(now: now()) { try? await index.releaseUnused(names) }
            try await index.takeBackFromTheFuture(now: now())
        }
        try? await removeUnused()
    }

    private func removeUnused() async throws {
        let moment = now()
        let last = try await withIndex { try await $0.lastSweep() }
        let elapsed = last.map { moment.timeIntervalSince($0) } ?? -1
        guard !(0..<86_400).contains(elapsed) else { return }
        try await withIndex { try await $0.noteSweep(at: moment) }
        guard (86_400...configuration.unusedLife).contains(elapsed) else { return }
        let date = moment - configuration.unusedLife
        try await removingSlices(.unused) { try await $0.unused(since: date, slice: 256) }
    }

    @discardableResult
    private func removingSlices(
        _ reason: CacheEviction.Reason, _ slice: (DiskIndex) async throws -> [Int64]
    ) async throws(ImageError) -> Int {
        var removed = 0
        while true {
            let count = try await removing(reason) { try await $0.remove(ids: try await slice($0)) }
            guard count > 0 else { return removed }
            removed += count
        }
    }

    private func removing(
        _ reason: CacheEviction.Reason, _ body: (DiskIndex) async throws -> [CacheEntryKey]
    ) async throws(ImageError) -> Int {
        do {
            let keys = try await withIndex(body)
            tell(keys, reason)
            return keys.count
        } catch {
            throw Self.unavailable(error)
        }
    }
}
