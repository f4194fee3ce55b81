import Glibc

/// The free and used space of file systems.
@usableFromInline
package enum FreeSpace {
    /// Returns the number of bytes that this process may still write to a folder's file system, by statvfs(3); nil if
    /// unknown.
    @usableFromInline @Sendable package static func bytes(at path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, isTooMany) = UInt(status.f_bavail).multipliedReportingOverflow(by: UInt(status.f_frsize))
        return isTooMany ? .max : Int(clamping: bytes)
    }

    /// Returns the number of bytes that a file takes on its file system; 0 if it does not exist.
    static func bytesTaken(by path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
    }
}
