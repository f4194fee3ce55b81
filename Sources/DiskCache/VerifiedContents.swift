import Synchronization

/// The content files whose digest this process has verified, in bounded memory.
///
/// Stores a 64-bit hash of each name: a collision is unlikely in one cache and only skips a check. A full set is
/// emptied, which costs repeated checks.
final class VerifiedContents: Sendable {
    private let names = Mutex<Set<Int>>([])
    private let limit: Int

    /// Creates an empty set; `limit` is the maximum number of contents, 65,536 by default.
    init(limit: Int = 1 << 16) { self.limit = max(1, limit) }

    func contains(_ name: String) -> Bool { names.withLock { $0.contains(name.hashValue) } }

    func insert(_ name: String) {
        names.withLock { names in
            if names.count >= limit { names.removeAll() }
            names.insert(name.hashValue)
        }
    }

    func remove(_ name: String) { names.withLock { _ = $0.remove(name.hashValue) } }
}
