import CFileHoles
import Glibc
import Synchronization

/// Lets the index's log go to the disk while it grows.
///
/// A checkpoint waits until all of the log is there, and stores wait for the checkpoint: 20 ms for 16 MiB that nobody
/// has begun to write.
final class LogWriteOut: Sendable {
    private let descriptor: Int32
    private let begin: @Sendable (Int32) -> Void
    private let transactions = Atomic<Int>(0)
    /// After a MiB, as transactions are of some fifteen pages.
    static let interval = 16

    /// Of the index at a path, which is open; `begin` begins to write out a file and waits for nothing.
    init(index path: String, begin: @escaping @Sendable (Int32) -> Void = { _ = alcedo_begin_write_out($0) }) {
        descriptor = open(path + "-wal", O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        self.begin = begin
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// A transaction has been added to the log.
    func noteTransaction() {
        if transactions.add(1, ordering: .relaxed).newValue.isMultiple(of: Self.interval) { begin(descriptor) }
    }
}
