import Foundation

/// The mounted file systems, as `/proc/self/mountinfo` lists them (proc(5)).
///
/// Swift's Glibc module has no `statfs`.
struct MountTable: Sendable {
    private let mounts: [(point: String, type: String)]

    init(mountinfo: String) {
        mounts = mountinfo.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 4, let separator = fields.firstIndex(of: "-"), separator + 1 < fields.count
            else { return nil }
            return (Self.unescaped(fields[4]), String(fields[separator + 1]))
        }
    }

    /// Returns a field with the octal escapes of space, tab, newline and backslash decoded.
    private static func unescaped(_ field: Substring) -> String {
        guard field.utf8.contains(UInt8(ascii: "\\")) else { return String(field) }
        return [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")].reduce(String(field)) {
            $0.replacingOccurrences(of: $1.0, with: $1.1)
        }
    }

    /// Returns the kind of the file system that holds a path; nil if the table has none.
    func kind(holding path: String) -> FileSystemKind? {
        let holding = mounts.filter { path == $0.point || path.hasPrefix($0.point == "/" ? "/" : $0.point + "/") }
        // Of several mounts on one point, the last one is visible.
        let nearest = holding.enumerated().max {
            ($0.element.point.count, $0.offset) < ($1.element.point.count, $1.offset)
        }
        return nearest.map { FileSystemKind(name: $0.element.type) }
    }
}

/// A type of file system, named as the kernel names it.
struct FileSystemKind: Sendable, Hashable {
    let name: String

    /// Whether the file system is a network file system, which several machines may share.
    var isOfNetwork: Bool { Self.ofNetworks.contains(name) }

    private static let ofNetworks: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "lustre", "glusterfs", "gpfs", "ncpfs",
        "fuse.sshfs", "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.davfs2",
    ]
}
