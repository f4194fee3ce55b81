import AlcedoSupport
import FoundationEssentials
import Glibc

/// Walks a folder tree, or one folder with its subfolders as its first entries: the files of a folder in natural order, then its subfolders; at the end those files without an
/// extension whose first bytes are of a picture.
///
/// Skips hidden names unless they are asked for. Reads each folder only once, even if several links lead to it, and none above the root, so
/// loops of links end. Rejects a subfolder that cannot be read.
struct FolderWalk: Sendable {
    private let listing: FolderListing
    /// Whether the pictures of subfolders are entries instead of the subfolders.
    private let isFlat: Bool
    private let showsHidden: Bool
    /// Called with a folder before it is read.
    private let willRead: @Sendable (String) -> Void
    private var pending: [String]
    private var visited: Set<FolderIdentity> = []
    private var line = 0
    private var isRoot = true
    /// The folder that is being read, the items that are still to be visited, and the subfolders found so far.
    private var folder = ""
    private var items: ArraySlice<FolderItem> = []
    private var subfolders: [String] = []
    /// The files whose name tells nothing.
    private var unnamed: ArraySlice<String> = []

    /// The items that are visited at once: few at first, so that a screen has rows early.
    private static let (firstCount, count) = (200, 10_000)

    init(
        root: String, isFlat: Bool = true, showsHidden: Bool = false, listing: FolderListing = .fileSystem,
        willRead: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.listing, self.isFlat, self.showsHidden, self.willRead) = (listing, isFlat, showsHidden, willRead)
        pending = [root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root]
        // A link to a folder above the root would widen the search.
        var path = root
        while case .folder(let identity) = listing.kind(path), visited.insert(identity).inserted { path += "/.." }
    }

    /// Returns the next pictures, of one folder; nil at the end.
    ///
    /// - Throws: The error of the root folder.
    mutating func next() throws(ListError) -> [ListEvent]? {
        guard items.isEmpty else { return visit(Self.count) }
        guard let next = pending.popLast() else { return sniff() }
        folder = next
        willRead(folder)
        do {
            let items = try listing.items(next).filter { showsHidden || !$0.isHidden }
            self.items = NaturalOrder.sorted(items, by: \.name)[...]
            defer { isRoot = false }
            return (isFlat ? [] : folderEntries()) + visit(isRoot ? Self.firstCount : Self.count)
        } catch {
            if isRoot { throw error }
            return [.rejected(line: 0, reason: error.description)]
        }
    }

    private mutating func visit(_ count: Int) -> [ListEvent] {
        var events: [ListEvent] = []
        for item in items.prefix(count) {
            let path = folder.inFolder(item.name)
            switch item.kind {
            case .file where PictureFileDetector.isViewable(name: item.name): events.append(entry(path))
            case .file where !item.name.contains("."): unnamed.append(path)
            case .folder(let identity) where isFlat && visited.insert(identity).inserted: subfolders.append(path)
            default: continue
            }
        }
        items = items.dropFirst(count)
        if items.isEmpty {
            pending += subfolders.reversed()
            subfolders = []
        }
        return events
    }

    private func folderEntries() -> [ListEvent] {
        items.compactMap { item in
            guard case .folder = item.kind else { return nil }
            var entry = ListEntry(line: 0, location: folder.inFolder(item.name))
            entry.kind = .folder
            return .entry(entry)
        }
    }

    private mutating func entry(_ path: String) -> ListEvent {
        line += 1
        return .entry(ListEntry(line: line, location: path))
    }

    private mutating func sniff() -> [ListEvent]? {
        guard !unnamed.isEmpty else { return nil }
        defer { unnamed = unnamed.dropFirst(Self.firstCount) }
        return unnamed.prefix(Self.firstCount).filter(listing.isPicture).map { entry($0) }
    }
}

/// An item of a folder.
///
/// Symbolic links count as the files that they lead to.
struct FolderItem: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case file
        case folder(FolderIdentity)
        /// A device, a socket, or a broken link.
        case other
    }

    var name: String
    var kind: Kind

    var isHidden: Bool { name.hasPrefix(".") }
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

    /// Returns whether the first bytes of a file are of a picture.
    var isPicture: @Sendable (_ path: String) -> Bool = { PictureFileDetector.hasSignature($0) }

    static let fileSystem = FolderListing(items: { path throws(ListError) in try contents(path) }, kind: { kind($0) })

    private static func contents(_ path: String) throws(ListError) -> [FolderItem] {
        guard let folder = path.withPath({ opendir($0) }) else {
            throw errno == ENOENT ? .missing(file: path) : unreadable(path)
        }
        defer { closedir(folder) }
        var items: [FolderItem] = []
        errno = 0
        while let entry = readdir(folder) {
            items.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
                        item(named: $0, in: path, type: entry.pointee.d_type)
                    }
                })
            errno = 0
        }
        guard errno == 0 else { throw unreadable(path) }
        return items
    }

    private static func item(named name: UnsafePointer<CChar>, in folder: String, type: UInt8) -> FolderItem {
        let text = String(pathCString: name)
        if text == "." || text == ".." { return FolderItem(name: text, kind: .other) }
        // Most file systems tell the type; then a file needs no look of its own.
        return FolderItem(name: text, kind: type == UInt8(DT_REG) ? .file : kind("\(folder)/\(text)"))
    }

    private static func unreadable(_ path: String) -> ListError {
        .unreadable(file: path, line: nil, reason: ByteStream.reason(errno))
    }

    private static func kind(_ path: String) -> FolderItem.Kind {
        var status = stat()
        guard path.withPath({ stat($0, &status) }) == 0 else { return .other }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder(FolderIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)))
        default: return .other
        }
    }
}

/// The pictures of an archive, whose files are read like those of a folder.
package enum ArchiveFolder {
    /// The order of the pictures.
    package enum Order: Sendable {
        /// The order of the archive, in which reading is fast.
        case stored
        /// The order of a folder's pictures: numbers by value.
        case natural
    }

    /// Returns an entry for each picture; its location is the path of the archive followed by the path of the file.
    ///
    /// Skips hidden names and other files. Rejects pictures that have a problem.
    ///
    /// - Parameter files: The path of each file in the archive, with the reason if it cannot be read.
    package static func events(
        of files: [(name: String, problem: String?)], in path: String, _ order: Order
    ) -> [ListEvent] {
        let pictures = files.filter { file in
            let components = file.name.split(separator: "/")
            return PictureFileDetector.isViewable(name: String(components.last ?? ""))
                && !components.contains { $0.hasPrefix(".") }
        }
        let sorted = order == .stored ? pictures : pictures.sorted { NaturalOrder.precedes($0.name, $1.name) }
        return sorted.enumerated().map { index, file in
            guard let problem = file.problem else {
                return .entry(ListEntry(line: index + 1, location: "\(path)/\(file.name)"))
            }
            return .rejected(line: index + 1, reason: "\(file.name): \(problem)")
        }
    }
}
