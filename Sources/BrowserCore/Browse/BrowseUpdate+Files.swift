import AlcedoFileOperations
import AlcedoScreen
import Raster

/// Local files that change while the browser shows them, and their dates.
extension BrowseState {
    /// Loads a file again that was written again; hides an item whose file is gone until it is back.
    mutating func fileChanged(_ index: Int, _ isThere: Bool) -> [BrowseEffect] {
        guard list.items.indices.contains(index) else { return [] }
        let wasGone = statuses.kind(of: index) == .gone
        guard isThere else {
            if !wasGone { hide(index) }
            return []
        }
        if wasGone {
            // Only folders have names that end like this.
            let isFolder = list.items.name(at: index).hasSuffix("/") && list.items.isFile(at: index)
            statuses.set(index, isFolder ? .folder(pictures: nil) : .waiting, at: now)
            folderTexts.requested.remove(index)
            list.updateExistence(of: index)
            if index == goneAnchor { (anchor, goneAnchor) = (index, nil) }
            returnToAnchor()
        } else {
            change(index, .waiting)
        }
        prefetch.isStale = true
        (datedCount, needsSort) = (0, needsSort || list.order != .list)
        datedRows.remove(index)
        // The turn was that of another picture, or is written now.
        let turned: [BrowseEffect] = turns.removeValue(forKey: index) == nil ? [] : [.setTurn(ItemID(index), .upright)]
        return turned + (index == selection ? slot.showAgain(reload: true, at: now) : [])
    }

    /// Hides an item; the cursor stays with its item, or moves to the next one if that is hidden.
    private mutating func hide(_ index: Int) {
        if statuses.kind(of: index) == .folder { statuses.set(index, .gone, at: now) }
        change(index, .gone)
        rangeStart = nil
        let isSelected = index == anchor
        // The next picture takes its place without another sign.
        if isSelected, isFullScreen { showNotice("\(shortName(of: ItemID(index))) is gone") }
        list.updateExistence(of: index)
        guard isSelected else { return returnToAnchor() }
        goneAnchor = goneAnchor ?? index
        go(by: 0)
    }

    /// Shows an item's file under its new name, where the cursor stays with it.
    mutating func rename(_ item: BrowseItem) {
        guard list.items.indices.contains(item.id.rawValue) else { return }
        list.rename(item)
        let index = item.id.rawValue
        if place != nil, skippedLines != nil { list.place(index..<index + 1) }
        needsSort = needsSort || place != nil || list.order != .list
        if item.id == selected { details = ItemDetails() }
    }

    /// Moves a picture to the trash at once; several ask first.
    mutating func trash() -> [BrowseEffect] {
        guard let items = chosenFiles(orFolder: true) else { return [] }
        return [items.count > 1 ? .planFiles(.trash, items) : .changeFiles(.trash, items)]
    }

    /// Asks before files are deleted for good.
    mutating func delete() -> [BrowseEffect] { chosenFiles().map { [.planFiles(.delete, $0)] } ?? [] }

    /// Opens the command line for the name of a picture; several names are changed in an editor.
    mutating func beginRenaming() -> [BrowseEffect] {
        guard let items = chosenFiles(orFolder: true), let first = items.first else { return [] }
        guard items.count == 1 else { return [.editNames(items, nil)] }
        focus = .command(CommandField("rename ", name: fileName(of: first)))
        return []
    }

    /// Opens the command line for a folder; pictures from the web are saved there.
    mutating func beginFiles(_ command: String) -> [BrowseEffect] {
        guard !chosenItems.isEmpty else { return [] }
        let areFiles = chosenItems.allSatisfy { list.items.isFile(at: $0.rawValue) }
        guard areFiles ? chosenFiles(orFolder: command == "move ") != nil : !chosenItems.contains(where: isFolder)
        else { return [] }
        focus = .command(CommandField(areFiles ? command : "save "))
        return [.readFolders]
    }

    /// Remembers the chosen files for another folder.
    mutating func hold(moving: Bool) -> [BrowseEffect] {
        guard let items = chosenFiles(orFolder: moving) else { return [] }
        held = HeldFiles(count: items.count, areMoved: moving)
        let what = (items.count == 1 ? shortName(of: items[0]) : "\(Units.count(items.count)) pictures") + hiddenNote
        let key = options.keyMap.names(of: .putFiles).first ?? ":put-files"
        let taken = "to \(moving ? "move" : "copy") \(glyphs.dot) \(key) in another folder"
        showNotice("\(what) \(taken) puts them there", short: "\(taken) puts them there")
        return [.holdFiles(items)]
    }

    /// Copies or moves the remembered files to this folder.
    mutating func putFiles() -> [BrowseEffect] {
        guard !areKeysTogether else {
            showNotice(Self.pastedText, short: Self.pastedShort)
            return []
        }
        guard let held else {
            let keys = [BrowseAction.copyFiles, .cutFiles].compactMap { options.keyMap.names(of: $0).first }
            showNotice("no files to put here: \(keys.joined(separator: " or ")) in another folder takes some")
            return []
        }
        guard place != nil else {
            showNotice("this list is no folder")
            return []
        }
        return [.putFiles(areMoved: held.areMoved)]
    }

    /// Returns the effect of a command on files that was typed.
    mutating func changeFiles(_ operation: FileOperation) -> [BrowseEffect] {
        if case .makeFolder = operation { return [.changeFiles(operation, [])] }
        guard let items = chosenFiles(orFolder: operation.takesFolders) else { return [] }
        if case .rename(to: let name) = operation, items.map(fileName) == [name] {
            showNotice("it has this name")
            return []
        }
        switch operation {
        case .copy, .move, .delete: return [.planFiles(operation, items)]
        case .trash: return trash()
        case .rename, .renameAll, .turn, .makeFolder: return [.changeFiles(operation, items)]
        }
    }

    /// Returns the chosen items if all of them are local files; nil, with a notice, otherwise.
    private mutating func chosenFiles(orFolder: Bool = false) -> [ItemID]? {
        let items = chosenItems
        guard !items.isEmpty else { return nil }
        guard orFolder || !items.contains(where: isFolder) else {
            showNotice(
                "that is a folder: it can only be renamed, moved or trashed",
                short: "a folder: rename, move or trash it")
            return nil
        }
        guard items.allSatisfy({ list.items.isFile(at: $0.rawValue) }) else {
            showNotice(
                "only local files: :save puts pictures from the web into a folder",
                short: "no local file: :save keeps it")
            return nil
        }
        return items
    }

    /// The name of an item's file, for a folder without the slash of its row.
    private func fileName(of item: ItemID) -> String {
        let name = list.items.name(at: item.rawValue)
        return isFolder(item) && name.hasSuffix("/") ? String(name.dropLast()) : name
    }

    /// Shows the chosen pictures turned; their files stay as they are until `:write`.
    mutating func turn(_ turn: Orientation) -> [BrowseEffect] {
        let items = chosenItems.filter { !isFolder($0) }
        guard !items.isEmpty else { return [] }
        var effects: [BrowseEffect] = []
        for item in items {
            let new = (turns[item.rawValue] ?? .upright).followed(by: turn)
            turns[item.rawValue] = new == .upright ? nil : new
            effects.append(.setTurn(item, new))
        }
        zoom = .fit
        let isKept = turns.isEmpty ? "" : ": :write keeps it"
        let what = items.count == 1 ? "turned" : "\(Units.count(items.count)) pictures turned"
        showNotice("\(what)\(hiddenNote)\(isKept)")
        return effects + (selected.map(items.contains) == true ? showAgain() : [])
    }

    /// Writes the chosen pictures that are shown turned.
    mutating func writeTurns() -> [BrowseEffect] {
        guard let items = chosenFiles() else { return [] }
        let turned = items.compactMap { item in turns[item.rawValue].map { (item, $0) } }
        guard !turned.isEmpty else {
            showNotice("nothing is turned: < > | _ turn pictures")
            return []
        }
        return [.changeFiles(.turn(by: turned.map(\.1)), turned.map(\.0))]
    }

    mutating func receive(_ dates: [ItemID: Int]) {
        let above = viewport.cursor - viewport.top
        list.setDates(dates)
        if list.order == .date, duplicates == nil { returnToAnchor(above: above) }
    }

    /// Requests the dates that the screen shows once: those of compared pictures, or of the visible rows if the list has
    /// a column for them.
    mutating func refreshDates() -> [BrowseEffect] {
        guard list.items.beginWithFiles else { return [] }
        var shown = comparison.map { [$0.first.rawValue, $0.second.rawValue] } ?? []
        if !showsGrid, !isFullScreen,
            ListColumns(width: layout.listColumns, hasPlaces: false, hasDates: true).date != nil
        {
            shown = visibleRows.map { list.index(at: $0) }
        }
        let unknown = shown.filter { index in
            list.dates[index] == nil && list.items.isFile(at: index) && statuses.kind(of: index) != .folder
                && datedRows.insert(index).inserted
        }
        return unknown.isEmpty ? [] : [.readDates(unknown.map { ItemID($0) })]
    }

    /// Sorts the rows again, or requests the dates that are not known yet and sorts when they arrive.
    mutating func sortAgain() -> [BrowseEffect] {
        guard needsSort, skippedLines != nil, duplicates == nil else { return [] }
        needsSort = false
        let undated = list.order == .date ? (datedCount..<list.items.count).filter(list.items.isFile) : []
        guard undated.isEmpty else {
            datedCount = list.items.count
            return [.readDates(undated.map { ItemID($0) })]
        }
        let above = viewport.cursor - viewport.top
        let start = rangeStart.flatMap { $0 < list.count ? list.index(at: $0) : nil }
        list.sort(by: list.order, reversed: list.isReversed)
        rangeStart = start.map { list.row(of: $0) }
        returnToAnchor(above: above)
        return []
    }
}
