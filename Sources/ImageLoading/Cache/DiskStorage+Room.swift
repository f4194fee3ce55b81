import Foundation
import Synchronization

/// What has to go so that something else can stay.
extension DiskStorage {
    /// What a trim leaves at most; larger contents would only push everything else out and then go themselves.
    var trimmedSize: Int { configuration.sizeLimit / 10 * 9 }

    /// Evicts down to 90 % of the size limit.
    func trim(_ index: DiskIndex) async throws {
        while true {
            let excess = try await index.totalBytes() - trimmedSize
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
    func makeRoom(for name: ContentName, bytes: Int, _ index: DiskIndex) async throws {
        guard let shortage = shortage(for: bytes), !blobs.holds(name.text, length: bytes) else { return }
        var left = shortage
        if !hasEvictedInVain, try await index.totalBytes() >= shortage {
            while left > 0 {
                let choice = try await index.choice(forBytes: left, now: now(), slice: 256)
                if choice.isEmpty { break }
                let before = try await index.totalBytes()
                try await evict(choice, for: .freeSpace, index)
                left -= before - (try await index.totalBytes())
            }
            guard self.shortage(for: bytes) != nil else { return }
            vainEviction.withLock { $0 = now() }
        }
        throw NoRoom(minimum: configuration.minimumFreeSpace)
    }

    /// By how many bytes the file system is too full; nil when it is not, or when nobody knows.
    private func shortage(for bytes: Int) -> Int? {
        guard let free = freeSpace(folder.path) else { return nil }
        let (needed, isTooMuch) = configuration.minimumFreeSpace.addingReportingOverflow(bytes)
        let shortage = (isTooMuch ? .max : needed) - max(0, free)
        return shortage > 0 ? shortage : nil
    }

    private var hasEvictedInVain: Bool {
        let moment = now()
        return vainEviction.withLock { $0.map { abs(moment.timeIntervalSince($0)) < 60 } ?? false }
    }

    private func evict(
        _ choice: DiskIndex.Choice, for reason: CacheEviction.Reason, _ index: DiskIndex
    ) async throws {
        for (ids, reason) in [(choice.expired, .expired), (choice.leastRecent, reason)] where !ids.isEmpty {
            tell(try await index.remove(ids: ids, counting: "evictions"), reason)
        }
    }
}
