import Foundation
import Synchronization

/// What has to go so that something else can stay.
extension DiskStorage {
    /// What a trim leaves at most; larger contents would only push everything else out and then go themselves.
    var trimmedSize: Int { configuration.sizeLimit / 10 * 9 }

    /// Evicts down to 90 % of the size limit.
    func trim(_ index: DiskIndex) async throws {
        while true {
            let excess = try index.totalSpace() - trimmedSize
            let choice = try await index.choice(forBytes: excess, now: now(), slice: 256)
            guard !choice.isEmpty else { return }
            try await evict(choice, for: .sizeLimit, index)
        }
    }

    /// The file system has too little room, and evicting did not help.
    struct NoRoom: Error {
        let minimum: Int
    }

    /// Evicts until the file system can take so many bytes more; throws `NoRoom` when that cannot be had.
    ///
    /// Nothing goes when even an empty cache would not be enough. Some file systems free space only after a while:
    /// when evicting gave none, the next minute's stores are refused without it.
    func makeRoom(for entry: CacheEntry, _ index: DiskIndex) async throws {
        let bytes = entry.length
        guard let shortage = shortage(for: bytes), try !index.holdsContent(named: entry.contentName) else {
            return roomLacks.withLock { $0 = false }
        }
        var left = shortage
        if !hasEvictedInVain, try index.totalSpace() >= shortage {
            while left > 0 {
                let choice = try await index.choice(forBytes: left, now: now(), slice: 256)
                if choice.isEmpty { break }
                let before = try index.totalSpace()
                try await evict(choice, for: .freeSpace, index)
                left -= before - (try index.totalSpace())
            }
            guard self.shortage(for: bytes) != nil else { return }
            noteVainEviction()
        }
        roomLacks.withLock { $0 = true }
        throw NoRoom(minimum: configuration.minimumFreeSpace)
    }

    /// By how many bytes the file system is too full; nil when it is not, or when nobody knows.
    private func shortage(for bytes: Int) -> Int? {
        guard let free = freeSpace(folder.path) else { return nil }
        let (needed, isTooMuch) = configuration.minimumFreeSpace.addingReportingOverflow(bytes)
        let shortage = (isTooMuch ? .max : needed) - max(0, free)
        return shortage > 0 ? shortage : nil
    }

    /// Whether the last store was refused because its file system had too little room, and evicting did not help.
    public var lacksRoom: Bool { roomLacks.withLock(\.self) }

    func noteVainEviction() { vainEviction.withLock { $0 = now() } }

    private var hasEvictedInVain: Bool {
        let moment = now()
        return vainEviction.withLock { $0.map { abs(moment.timeIntervalSince($0)) < 60 } ?? false }
    }

    /// Evicts some, where the file system itself has refused so many bytes; answers whether anything went.
    ///
    /// What the index has pending may be what takes the room, and it grows with what is stored.
    func evictSome(for bytes: Int, _ index: DiskIndex) async throws -> Bool {
        guard !hasEvictedInVain else { return false }
        try? await index.writePending()
        let aim = max(BlobStore.space(bytes) + BlobStore.block, try index.totalSpace() / 64)
        let choice = try await index.choice(forBytes: aim, now: now(), slice: 256)
        try await evict(choice, for: .freeSpace, index)
        return !choice.isEmpty
    }

    private func evict(
        _ choice: DiskIndex.Choice, for reason: CacheEviction.Reason, _ index: DiskIndex
    ) async throws {
        let damaged = try await index.remove(ids: choice.damaged, sparesPinned: true)
        notify(damaged.keys, .damaged)
        for (ids, reason) in [(choice.expired, .expired), (choice.leastRecent, reason)] where !ids.isEmpty {
            let removed = try await index.remove(ids: ids, counting: .evicted(reason), sparesPinned: true)
            noteEvicted(removed, reason)
        }
    }
}
