import Glibc

/// A lock on a folder that one process can hold; released with the value or at the end of the process.
final class FolderLock {
    private let folder: Int32

    /// Locks a folder; fails if another process holds the lock, or if the folder cannot be opened.
    init?(_ path: String) {
        folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        guard flock(folder, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    // Closing the folder releases the lock.
    deinit { if folder >= 0 { close(folder) } }
}
