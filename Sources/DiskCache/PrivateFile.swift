import Foundation
import Glibc

/// Files that only their owner may read, whatever the umask.
enum PrivateFile {
    /// The path exists and is not a regular file.
    struct NotAFile: Error {}

    /// Creates an empty file if nothing exists at the path, and removes the rights of others from an existing one.
    ///
    /// An existing file is not opened: closing a second descriptor of SQLite's file would drop SQLite's locks.
    ///
    /// - Throws: `NotAFile` for a link, a folder, a pipe or a device.
    static func prepare(_ path: String) throws(NotAFile) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else { throw NotAFile() }
        if status.st_mode & 0o077 != 0 { chmod(path, 0o600) }
    }
}
