/// Walks a folder and all below it: files of a folder first, in natural order, then its subfolders.
///
/// Hidden names are skipped. A picture whose name no text can hold is rejected. A folder that links lead to twice is read once, so loops end. A subfolder that cannot be
/// read is reported as rejected; the first folder throws.
struct FolderWalk: Sendable {
    private let listing: FolderListing
    private var waiting: [String]
    private var seen: Set<FolderIdentity> = []
    private var line = 0
    private var isRoot = true

    init(root: String, listing: FolderListing = .fileSystem) {
        self.listing = listing
        waiting = [root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root]
        if case .folder(let identity) = listing.kind(root) { seen.insert(identity) }
    }

    /// The pictures of the next folder; nil when there is none left.
    mutating func next() throws(ListError) -> [ListEvent]? {
        guard let folder = waiting.popLast() else { return nil }
        do {
            let items = try listing.items(folder).sorted { NaturalOrder.precedes($0.name, $1.name) }
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
        var deeper: [String] = []
        for item in items where !item.name.hasPrefix(".") {
            let path = folder == "/" ? "/\(item.name)" : "\(folder)/\(item.name)"
            switch item.kind {
            case .file where PictureType.isPicture(name: item.name):
                line += 1
                events.append(.entry(ListEntry(line: line, location: path)))
            case .nameless where PictureType.isPicture(name: item.name):
                line += 1
                events.append(.rejected(line: line, reason: "a picture in \(folder) whose name is not UTF-8"))
            case .folder(let identity) where seen.insert(identity).inserted: deeper.append(path)
            default: continue
            }
        }
        waiting.append(contentsOf: deeper.reversed())
        return events
    }
}
