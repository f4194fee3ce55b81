import Synchronization

/// The content files whose digest was found right in this process, in bounded memory.
///
/// 64 bits tell the files of one cache apart well enough to skip a check.
/// It forgets all of them when it is full: the price is checking some once more.
final class VerifiedContents: Sendable {
    private let names = Mutex<Set<Int>>([])
    private let limit: Int

    /// Remembers 65,536 contents by default.
    init(limit: Int = 1 << 16) { self.limit = max(1, limit) }

    func contains(_ name: String) -> Bool { names.withLock { $0.contains(name.hashValue) } }

    func insert(_ name: String) {
        names.withLock { names in
            if names.count >= limit { names.removeAll() }
            names.insert(name.hashValue)
        }
    }

    func remove(_ name: String) { names.withLock { _ = $0.remove(name.hashValue) } }

    var count: Int { names.withLock { $0.count } }
}
