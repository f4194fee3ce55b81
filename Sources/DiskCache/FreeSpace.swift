import Glibc

/// How much room a file system has.
public enum FreeSpace {
    /// The bytes that this process may still write to the file system of a folder, by statvfs(3); nil when unknown.
    @Sendable public static func bytes(at path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, isTooMany) = UInt(status.f_bavail).multipliedReportingOverflow(by: UInt(status.f_frsize))
        return isTooMany ? .max : Int(clamping: bytes)
    }

    /// The bytes that a file takes of its file system; 0 when there is none.
    static func bytesTaken(by path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
    }
}
