/// A file in an archive.
package struct ArchiveMember: Sendable, Hashable {
    /// Its place in the archive, from 0.
    package var index: Int
    /// Its path in the archive, with `/` between folders; no component is empty, `.` or `..`.
    package var name: String
    /// Why it cannot be read; nil if nothing is known against it.
    package var problem: String?

    /// The largest number of files that an archive may have.
    static let countLimit = 1_000_000

    /// The reason why a file cannot be read, as a helper sends it.
    enum Fault: Int {
        case none, encrypted, longName, link

        fileprivate var reason: String? {
            switch self {
            case .none: nil
            case .encrypted: "it is encrypted"
            case .longName: "its name is too long"
            case .link: "it is a link"
            }
        }
    }

    init(index: Int, storedName: String, fault: Fault) {
        let components = storedName.utf8.split(separator: UInt8(ascii: "/")).map { String($0) ?? "" }.filter {
            $0 != "."
        }
        let leadsOut = components.contains("..")
        self.index = index
        name = components.filter { $0 != ".." }.joined(separator: "/")
        problem = leadsOut ? "its name leads out of the archive" : fault.reason
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
