import Synchronization

/// What a transaction leaves behind that no row names any more; cleared away once it is committed.
///
/// A process that is killed in between leaves bytes that nobody asks for, never a row whose bytes are gone.
final class Leavings: Sendable {
    enum Leaving: Sendable, Equatable {
        case slot(PackSlot)
        case pack(Int64)
        /// A content's own file; another process may have begun to need it since.
        case file(String)
    }

    private let list = Mutex<[Leaving]>([])

    var count: Int { list.withLock(\.count) }

    func add(_ leaving: Leaving) { list.withLock { $0.append(leaving) } }

    /// Forgets what came after the first so many: that was undone.
    func cut(to count: Int) { list.withLock { $0.removeLast(max(0, $0.count - count)) } }

    func take() -> [Leaving] {
        list.withLock { list in
            defer { list = [] }
            return list
        }
    }
}
