import Glibc

/// One process at a time works on what belongs to all of them; given back with the value, or with the process.
final class FolderLock {
    private let folder: Int32

    /// nil while another has it, or where the folder cannot be opened.
    init?(_ path: String) {
        folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        guard flock(folder, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    // Closing it lets go of the lock.
    deinit { if folder >= 0 { close(folder) } }
}
