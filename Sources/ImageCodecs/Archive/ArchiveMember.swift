/// A file in an archive.
package struct ArchiveMember: Sendable, Hashable {
    /// Its place in the archive, from 0.
    package var index: Int
    /// Its path in the archive, with `/` between folders; no component is empty, `.` or `..`.
    package var name: String
    /// Its bytes; nil if only unpacking tells.
    package var size: Int?
    /// Why it cannot be read; nil if nothing is known against it.
    package var problem: String?

    /// The largest number of files that an archive may have.
    static let countLimit = 1_000_000

    init(index: Int, storedName: String, size: Int?, isEncrypted: Bool) {
        let components = storedName.split(separator: "/").filter { $0 != "." }
        let leadsOut = components.contains("..")
        self.index = index
        name = components.filter { $0 != ".." }.joined(separator: "/")
        self.size = size
        problem = leadsOut ? "its name leads out of the archive" : isEncrypted ? "it is encrypted" : nil
    }
}

/// The result of unpacking a file of an archive.
enum UnpackedMember: Equatable {
    case bytes(Range<Int>)
    /// The file has more bytes than the limit.
    case tooLarge
    /// The text gives the reason.
    case failed(String)
}
