import AlcedoScreen

/// A folder whose list the browser shows.
package struct FolderPlace: Sendable, Equatable {
    /// The path as it is shown: with `~` for the home folder.
    package let path: String
    /// Whether the pictures of its subfolders are listed, instead of the subfolders.
    package let isFlat: Bool
    /// Whether hidden files and folders are listed, too.
    let showsHidden: Bool

    /// The whole path, for texts that show paths in it.
    private let whole: String

    package init(path: String, whole: String? = nil, isFlat: Bool, showsHidden: Bool = false) {
        (self.path, self.whole, self.isFlat, self.showsHidden) = (path, whole ?? path, isFlat, showsHidden)
    }

    /// The beginning of the paths in it.
    var root: String { whole == "/" ? whole : whole + "/" }

    /// Returns the path of this folder or of one in it as it is shown.
    func shown(_ folder: String) -> String {
        guard folder == whole || folder.hasPrefix(whole + "/") else { return folder }
        return path + folder.dropFirst(whole.count)
    }
}

/// The list that the browser shows next.
package enum FolderVisit: Sendable, Equatable {
    case subfolder(ItemID)
    case parent
    /// The same folder, with or without its subfolders' pictures.
    case flat(Bool)
    /// The same folder, with or without hidden files and folders.
    case hidden(Bool)
    /// The folder with this path.
    case path(String)
}

/// The facts about the folders in the list.
struct FolderTexts: Sendable, Equatable {
    /// Folders that were counted, or are being counted.
    var requested: Set<Int> = []
    /// The facts of folders in short texts, such as `12 pictures` and `31 MiB`.
    var summaries: [Int: [String]] = [:]
}

extension BrowseState {
    func isFolder(_ item: ItemID) -> Bool {
        list.items.indices.contains(item.rawValue) && statuses.kind(of: item.rawValue) == .folder
    }

    var isFolderSelected: Bool { selected.map(isFolder) ?? false }

    /// The facts of the selected folder; nil if no folder is selected.
    var folderSummary: [String]? { isFolderSelected ? selection.map { folderTexts.summaries[$0] ?? [] } : nil }

    /// Whether an item is a folder that is known to have no picture of its own.
    func isEmptyFolder(_ item: ItemID?) -> Bool {
        guard let item, isFolder(item) else { return false }
        return statuses.status(of: item.rawValue, at: now) == .folder(pictures: 0)
    }

    /// Performs an action that goes to another folder, or that means the selected folder; nil for others.
    mutating func performOnFolder(_ action: BrowseAction) -> [BrowseEffect]? {
        // Keys that move a picture or the cursor in the grid keep their meaning there.
        let isInList = !showsGrid && !isFullScreen && zoom.isFit && duplicates == nil
        switch action {
        case .fullScreen, .panRight:
            guard let selected, isFolder(selected), isInList || action == .fullScreen && !isFullScreen else {
                return nil
            }
            return [.visit(.subfolder(selected))]
        case .panLeft: return isInList && place != nil ? [.visit(.parent)] : nil
        case .parentFolder:
            guard place != nil else {
                showQuietNotice("this list is no folder")
                return []
            }
            return [.visit(.parent)]
        case .places:
            guard place != nil else {
                showQuietNotice("this list is no folder")
                return []
            }
            return [.readPlaces]
        case .markAllButFirst where duplicates != nil || place == nil: return nil
        case .flat, .hiddenFiles, .markAllButFirst:
            guard let place else {
                showQuietNotice("this list is no folder")
                return []
            }
            return [.visit(action == .hiddenFiles ? .hidden(!place.showsHidden) : .flat(!place.isFlat))]
        default: return nil
        }
    }

    /// Opens the sheet of places, or shows in it what was pinned.
    mutating func receive(places new: [RememberedFolder]) {
        places = new
        if case .places(let cursor) = focus {
            focus = new.isEmpty ? .list : .places(min(cursor, new.count - 1))
        } else if focus == .list {
            if new.isEmpty { return showNotice("no other folder to go to yet") }
            focus = .places(0)
        }
    }

    /// Goes to a place, pins it, or closes the sheet.
    mutating func inPlaces(_ key: Key, _ cursor: Int) -> [BrowseEffect] {
        switch key {
        case .character("j"), .down: focus = .places(min(places.count - 1, cursor + 1))
        case .character("k"), .up: focus = .places(max(0, cursor - 1))
        case .character("p"):
            return places.indices.contains(cursor) ? [.pinPlace(places[cursor].path)] : []
        case .enter, .character("l"), .right:
            focus = .list
            return places.indices.contains(cursor) ? [.visit(.path(places[cursor].path))] : []
        case .character(let character):
            guard let number = character.wholeNumberValue, places.indices.contains(number - 1) else {
                focus = .list
                return []
            }
            focus = .list
            return [.visit(.path(places[number - 1].path))]
        default: focus = .list
        }
        return []
    }

    /// Counts the pictures of the folders in the visible rows.
    mutating func refreshFolders() -> [BrowseEffect] {
        guard statuses.count(of: .folder) > 0 else { return [] }
        let visible = visibleRows.map { list.index(at: $0) }.filter { statuses.kind(of: $0) == .folder }
        let unknown = visible.filter { folderTexts.requested.insert($0).inserted }
        return unknown.isEmpty ? [] : [.countFolders(unknown.map { ItemID($0) })]
    }

    mutating func receive(_ pictures: Int?, _ summary: [String], of item: ItemID) {
        guard isFolder(item) else { return }
        statuses.set(item.rawValue, .folder(pictures: pictures), at: now)
        if !summary.isEmpty { folderTexts.summaries[item.rawValue] = summary.map { SafeText.clean($0) } }
    }

    /// Creates the state of another list that the user goes to; what the user chose stays as it is.
    package init(title: String, place: FolderPlace, after old: BrowseState) {
        self.init(title: title, options: old.options, place: place)
        // The clock of a list begins with it.
        (size, cell, showsFaults) = (old.size, old.cell, old.showsFaults)
        (isGrid, gridColumns, mostThumbnailRows) = (old.isGrid, old.gridColumns, old.mostThumbnailRows)
        showsTextInRows = old.showsTextInRows
        (showsInfo, listColumns, names, pane) = (old.showsInfo, old.listColumns, old.names, old.pane)
        (isMotionPaused, isPrefetchPaused, isLowData) = (old.isMotionPaused, old.isPrefetchPaused, old.isLowData)
        (usage, commands, hasFocus, lastFilter) = (old.usage, old.commands, old.hasFocus, old.lastFilter)
        (held, messages) = (old.held, old.messages)
        if old.list.order != .list {
            list.sort(by: old.list.order, reversed: old.list.isReversed, seed: UInt64(truncatingIfNeeded: old.now + 1))
        }
    }
}
