import Foundation

/// One name in a folder, links followed.
struct FolderItem: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case file
        /// A folder, with what tells it from every other: device and inode.
        case folder(FolderIdentity)
        /// A device, a socket, or a link to nothing.
        case other
        /// Its name is no UTF-8, and no text can name it; that of the item is what can be read of it.
        case nameless
    }

    var name: String
    var kind: Kind
}

struct FolderIdentity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
}

/// Looks into a folder: the file system, or a test's own.
struct FolderListing: Sendable {
    /// The items of the folder in any order; the error's text is the system's reason.
    var items: @Sendable (_ path: String) throws(ListError) -> [FolderItem]
    /// What the path is; `other` when it cannot be told.
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
            return FolderItem(name: String(cString: name), kind: .nameless)
        }
        return FolderItem(name: text, kind: text.hasPrefix(".") ? .other : kind("\(folder)/\(text)"))
    }

    private static func unreadable(_ path: String) -> ListError {
        .unreadable(file: path, line: nil, reason: ByteStream.reason(errno))
    }

    private static func kind(_ path: String) -> FolderItem.Kind {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return .other }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder(FolderIdentity(device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino)))
        default: return .other
        }
    }
}
