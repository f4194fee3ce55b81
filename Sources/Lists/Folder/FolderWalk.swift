import Foundation

/// Walks a folder tree: the files of a folder in natural order, then its subfolders.
///
/// Skips hidden names. Rejects pictures whose names are not UTF-8. Reads a folder that links lead to twice only once,
/// so loops end. Rejects a subfolder that cannot be read.
struct FolderWalk: Sendable {
    private let listing: FolderListing
    private var pending: [String]
    private var visited: Set<FolderIdentity> = []
    private var line = 0
    private var isRoot = true

    init(root: String, listing: FolderListing = .fileSystem) {
        self.listing = listing
        pending = [root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root]
        if case .folder(let identity) = listing.kind(root) { visited.insert(identity) }
    }

    /// Returns the pictures of the next folder; nil at the end.
    ///
    /// - Throws: The error of the root folder.
    mutating func next() throws(ListError) -> [ListEvent]? {
        guard let folder = pending.popLast() else { return nil }
        do {
            let items = try listing.items(folder).sorted { Self.precedes($0.name, $1.name) }
            isRoot = false
            return visit(items, folder)
        } catch {
            if isRoot { throw error }
            line += 1
            return [.rejected(line: line, reason: error.description)]
        }
    }

    private mutating func visit(_ items: [FolderItem], _ folder: String) -> [ListEvent] {
        var events: [ListEvent] = []
        var subfolders: [String] = []
        for item in items where !item.name.hasPrefix(".") {
            let path = folder == "/" ? "/\(item.name)" : "\(folder)/\(item.name)"
            switch item.kind {
            case .file where PictureType.isViewable(name: item.name):
                line += 1
                events.append(.entry(ListEntry(line: line, location: path)))
            case .invalidName where PictureType.isViewable(name: item.name):
                line += 1
                events.append(.rejected(line: line, reason: "a picture in \(folder) whose name is not UTF-8"))
            case .folder(let identity) where visited.insert(identity).inserted: subfolders.append(path)
            default: continue
            }
        }
        pending.append(contentsOf: subfolders.reversed())
        return events
    }

    /// Returns whether the first name sorts before the second: numbers by value, letters regardless of case.
    ///
    /// Names that differ only in case or leading zeros have a fixed order.
    static func precedes(_ left: String, _ right: String) -> Bool {
        switch left.compare(right, options: [.numeric, .caseInsensitive]) {
        case .orderedAscending: true
        case .orderedSame: left.utf8.lexicographicallyPrecedes(right.utf8)
        case .orderedDescending: false
        }
    }
}
