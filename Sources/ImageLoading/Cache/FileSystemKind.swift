/// A kind of file system, as the system names it.
struct FileSystemKind: Sendable, Hashable {
    let name: String

    /// Whether several machines may share it.
    var isOfNetwork: Bool { Self.ofNetworks.contains(name) }

    /// Whether it hangs when another program, or another machine, does.
    var isServed: Bool { isOfNetwork || name == "fuse" || name == "fuseblk" || name.hasPrefix("fuse.") }

    private static let ofNetworks: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "lustre", "glusterfs", "gpfs", "ncpfs",
        "fuse.sshfs", "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.davfs2",
    ]
}
