import Foundation

/// The file systems of this machine, as `/proc/self/mountinfo` lists them (proc(5)).
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

    /// Space, tab, newline and backslash stand as octal numbers.
    private static func unescaped(_ field: Substring) -> String {
        [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")].reduce(String(field)) {
            $0.replacingOccurrences(of: $1.0, with: $1.1)
        }
    }

    /// The name of a network file system that holds the path, or nil when it is local.
    func networkFileSystem(holding path: String) -> String? {
        let holding = mounts.filter { path == $0.point || path.hasPrefix($0.point == "/" ? "/" : $0.point + "/") }
        // Of mounts on the same point the last one is seen.
        let nearest = holding.enumerated().max {
            ($0.element.point.count, $0.offset) < ($1.element.point.count, $1.offset)
        }
        guard let type = nearest?.element.type else { return nil }
        return Self.networkTypes.contains(type) ? type : nil
    }

    private static let networkTypes: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "lustre", "glusterfs", "gpfs", "ncpfs",
        "fuse.sshfs", "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.davfs2",
    ]
}
