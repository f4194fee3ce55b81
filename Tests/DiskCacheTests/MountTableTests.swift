import Testing

@testable import AlcedoDiskCache

@Suite(.timeLimit(.minutes(1)))
struct MountTableTests {
    private let table = MountTable(
        mountinfo: """
            22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
            30 22 0:30 / /home rw shared:5 - nfs4 server:/home rw,vers=4.2
            31 30 8:2 / /home/ann/local rw - ext4 /dev/sdb1 rw
            32 22 0:31 / /mnt/my\\040disk rw - cifs //nas/disk rw
            33 22 0:32 / /mnt/twice rw - nfs server:/x rw
            34 33 0:33 / /mnt/twice rw - tmpfs tmpfs rw
            35 22 0:34 / /mnt/back\\134slash rw - fuse.sshfs host: rw
            not a line of this table
            """)

    @Test(arguments: [
        ("/var/cache", "ext4"), ("/home", "nfs4"), ("/home/ann/.cache", "nfs4"), ("/homely", "ext4"),
        ("/home/ann/local/cache", "ext4"), ("/mnt/my disk/cache", "cifs"), ("/mnt/twice/cache", "tmpfs"),
        ("/mnt/back\\slash/x", "fuse.sshfs"), ("/", "ext4"),
    ])
    func `the longest matching mount point decides the file system`(path: String, name: String) {
        #expect(table.kind(holding: path)?.name == name)
    }

    @Test func `an empty mount table has no file systems`() {
        #expect(MountTable(mountinfo: "").kind(holding: "/home") == nil)
    }

    @Test(arguments: [
        ("ext4", false), ("tmpfs", false), ("fusectl", false), ("nfs4", true), ("cifs", true), ("fuse.sshfs", true),
        ("fuse.bindfs", false), ("fuseblk", false),
    ])
    func `network file systems are recognized by name`(name: String, isOfNetwork: Bool) {
        #expect(FileSystemKind(name: name).isOfNetwork == isOfNetwork)
    }
}
