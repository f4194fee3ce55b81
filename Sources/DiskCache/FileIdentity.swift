import Glibc

/// The device and inode of a file, which identify it whatever its name.
struct FileIdentity: Equatable {
    private let device: UInt
    private let inode: UInt

    /// Reads the identity of the file at a path without following links; nil if there is none.
    init?(_ path: String) {
        var status = stat()
        // Passing the string itself would copy it first.
        guard path.withCString({ lstat($0, &status) }) == 0 else { return nil }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}
