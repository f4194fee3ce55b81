import Foundation

/// An item of a folder.
///
/// Symbolic links count as what they lead to.
struct FolderItem: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case file
        case folder(FolderIdentity)
        /// A device, a socket, or a broken link.
        case other
        /// The name is not UTF-8, so no text can name the item; `name` is repaired with U+FFFD.
        case invalidName
    }

    var name: String
    var kind: Kind
}

/// The device and inode of a folder, which distinguish it from all others.
struct FolderIdentity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
}

/// Access to folders: the file system, or a fake in tests.
struct FolderListing: Sendable {
    /// Returns the items of the folder in any order.
    var items: @Sendable (_ path: String) throws(ListError) -> [FolderItem]
    /// Returns the kind of a path; `other` on an error.
    var kind: @Sendable (_ path: String) -> FolderItem.Kind

    static let fileSystem = FolderListing(items: { path throws(ListError) in try contents(path) }, kind: { kind($0) })

    private static func contents(_ path: String) throws(ListError) -> [FolderItem] {
        guard let folder = opendir(path) else {
            throw errno == ENOENT ? .missing(file: path) : unreadable(path)
        }
        defer { closedir(folder) }
        var items: [FolderItem] = []
        errno = 0
        while let entry = readdir(folder) {
            items.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { item(named: $0, in: path) }
                })
            errno = 0
        }
        guard errno == 0 else { throw unreadable(path) }
        return items
    }

    private static func item(named name: UnsafePointer<CChar>, in folder: String) -> FolderItem {
        guard let text = String(validatingCString: name) else {
            return FolderItem(name: String(cString: name), kind: .invalidName)
        }
        return FolderItem(name: text, kind: text.hasPrefix(".") ? .other : kind("\(folder)/\(text)"))
    }

    private static func unreadable(_ path: String) -> ListError {
        .unreadable(file: path, line: nil, reason: ByteStream.reason(errno))
    }

    private static func kind(_ path: String) -> FolderItem.Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .other }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder(FolderIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)))
        default: return .other
        }
    }
}
