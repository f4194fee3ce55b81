import Synchronization

/// The contents whose digest was found right in this process, in bounded memory.
///
/// It forgets all of them when it is full: the price is checking some once more.
final class VerifiedContents: Sendable {
    private let digests = Mutex<Set<UInt64>>([])
    private let limit: Int

    /// Remembers 65,536 contents by default.
    init(limit: Int = 1 << 16) { self.limit = max(1, limit) }

    func contains(_ digest: String) -> Bool { digests.withLock { $0.contains(Self.mark(digest)) } }

    func insert(_ digest: String) {
        digests.withLock { digests in
            if digests.count >= limit { digests.removeAll() }
            digests.insert(Self.mark(digest))
        }
    }

    func remove(_ digest: String) { digests.withLock { _ = $0.remove(Self.mark(digest)) } }

    var count: Int { digests.withLock { $0.count } }

    /// The first 64 bits of a digest tell the contents of one cache apart well enough to skip a check.
    private static func mark(_ digest: String) -> UInt64 { UInt64(digest.prefix(16), radix: 16) ?? 0 }
}
