import Glibc

/// What tells a file from every other, whatever its name.
struct FileIdentity: Equatable {
    private let device: UInt
    private let inode: UInt

    /// Of what stands at the path, links not followed; nil where nothing does.
    init?(_ path: String) {
        var status = stat()
        // Passed as it is, the text would be copied first.
        guard path.withCString({ lstat($0, &status) }) == 0 else { return nil }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}
