import AlcedoScreen
import Raster

/// The keys of the cache screen.
extension CacheScreenState {
    mutating func press(_ key: Key) -> [CacheScreenEffect] {
        notice?.receiveKey(at: now)
        if notice?.isOver(at: now) == true { notice = nil }
        switch key {
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        case .control("c"): return [.quit]
        default: break
        }
        switch focus {
        case .table: return inTable(key.latin)
        case .filter: inFilter(key)
        case .confirm(let deletion): return inConfirm(key.latin, deletion)
        case .export(let ids): return inExport(key, ids)
        case .help(let cursor): return inHelp(key, cursor)
        case .totals(let top):
            let place = scrolled(top, key.latin, last: totalsPanel?.lastTop ?? 0)
            focus = place.map { .totals(top: $0) } ?? .table
        }
        return []
    }

    /// Returns the position after a key that scrolls the totals; nil for a key that closes them.
    private func scrolled(_ place: Int, _ key: Key, last: Int) -> Int? {
        let place = min(place, last)
        return switch key {
        case .character("j"), .down, .pageDown, .character(" "): min(last, place + 1)
        case .character("k"), .up, .pageUp: max(0, place - 1)
        default: nil
        }
    }

    /// Inserts pasted text into the field that is being edited; ignores it elsewhere.
    mutating func paste(_ text: String) {
        switch focus {
        case .filter:
            filter.insert(text)
            requery()
        case .export: exportPath.insert(text)
        case .help(var cursor):
            cursor.paste(text)
            focus = .help(cursor)
        case .table, .confirm, .totals: break
        }
    }

    private mutating func inTable(_ key: Key) -> [CacheScreenEffect] {
        if move(key) { return [] }
        if listsGroups, isOfEntries(key) {
            showNotice("that is done to entries: Enter opens the group")
            return []
        }
        switch key {
        case .character("q"): return [.quit]
        case .character("s"): sort()
        case .character("S"): reverse()
        case .character("g"): groupByNext()
        case .character("/"): focus = .filter
        case .escape: return goBack()
        case .character(" "): mark()
        case .character("u"): marks = [:]
        case .character("d"), .delete: return promptToDelete(CacheDeletion(self))
        case .character("D"): return promptToDeleteAll()
        case .character("e"): promptForPath()
        case .character("p"): return pin()
        case .character("v"): return targets.isEmpty ? [] : [.verify(targets.keys.sorted())]
        case .character("o"): return open()
        case .character("i"): toggleDetails()
        case .character("J"): scrollDetails(by: 1)
        case .character("K"): scrollDetails(by: -1)
        case .enter: enter()
        case .character("t"): focus = .totals(top: 0)
        case .character("r"): isStale = true
        case .character("?"), .function(1): focus = .help(HelpCursor())
        default: showNotice("that key does nothing here: ? shows the keys")
        }
        return []
    }

    /// Whether a key needs the table of entries, or entries while none are marked.
    private func isOfEntries(_ key: Key) -> Bool {
        guard case .character(let character) = key else { return false }
        return "sSi ".contains(character) || marks.isEmpty && "pveo".contains(character)
    }

    private mutating func move(_ key: Key) -> Bool {
        let page = max(1, layout.table.rows)
        switch key {
        case .character("j"), .down: go(by: 1)
        case .character("k"), .up: go(by: -1)
        case .home: go(to: 0)
        case .character("G"), .end: go(to: .max)
        case .control("d"): go(by: max(1, page / 2))
        case .control("u"): go(by: -max(1, page / 2))
        case .control("f"), .pageDown: go(by: page)
        case .control("b"), .pageUp: go(by: -page)
        default: return false
        }
        return true
    }

    private mutating func inFilter(_ key: Key) {
        switch key {
        case .escape:
            focus = .table
            clearFilter()
        case .enter: focus = .table
        case .backspace where filter.text.isEmpty: focus = .table
        default: if filter.handle(key) { requery() }
        }
    }

    private mutating func inExport(_ key: Key, _ ids: [String]) -> [CacheScreenEffect] {
        switch key {
        case .escape: focus = .table
        case .enter:
            focus = .table
            return exportPath.text.isEmpty ? [] : [.export(ids, path: exportPath.text)]
        default: _ = exportPath.handle(key)
        }
        return []
    }

    private mutating func sort() {
        let orders = CacheOrder.allCases
        let place = orders.firstIndex(of: order) ?? 0
        sort(by: orders[(place + 1) % orders.count])
    }

    private mutating func sort(by new: CacheOrder) {
        guard new != order else { return reverse() }
        order = new
        ascending = order == .host || order == .expiry
        // On a narrow screen, the sorted column may be hidden.
        showNotice("sorted by \(order.title)")
        requery()
    }

    private mutating func reverse() {
        ascending.toggle()
        requery()
    }

    private mutating func clearFilter() {
        guard !filter.text.isEmpty else { return }
        filter = TextField()
        requery()
    }

    private mutating func toggleDetails() {
        // An empty table has no details.
        guard showsDetails || selected != nil else { return }
        showsDetails.toggle()
        updateViewport()
    }
}

// MARK: - Groups

extension CacheScreenState {
    private mutating func groupByNext() {
        let all = CacheGrouping.allCases
        let place = grouping.flatMap { all.firstIndex(of: $0) }
        let next = place.map { $0 + 1 } ?? 0
        grouping = next < all.count ? all[next] : nil
        openGroup = nil
        groupPlace = 0
        requery()
    }

    private mutating func enter() {
        guard listsGroups else { return toggleDetails() }
        guard let group = selectedGroup else { return }
        groupPlace = viewport.cursor
        openGroup = group
        requery()
    }

    /// Closes the details, the group, the filter or the grouping, whichever is open, else the browser's cache screen.
    private mutating func goBack() -> [CacheScreenEffect] {
        if showsDetails, !listsGroups {
            toggleDetails()
        } else if openGroup != nil {
            openGroup = nil
            requery()
            returnPlace = groupPlace
        } else if !filter.text.isEmpty {
            clearFilter()
        } else if grouping != nil {
            grouping = nil
            requery()
        } else if !isStandalone {
            return [.quit]
        }
        return []
    }
}

// MARK: - Entries

extension CacheScreenState {
    private mutating func mark() {
        guard let row = selected else { return }
        if marks.removeValue(forKey: row.id) == nil { marks[row.id] = row }
        go(by: 1)
    }

    private mutating func promptToDeleteAll() -> [CacheScreenEffect] {
        if listsGroups {
            showNotice("d deletes a group; open it to choose")
            return []
        }
        return promptToDelete(CacheDeletion(allOf: self))
    }

    private mutating func promptToDelete(_ deletion: CacheDeletion?) -> [CacheScreenEffect] {
        guard let deletion else { return [] }
        notice = nil
        focus = .confirm(deletion)
        updateViewport()
        return [.measure(deletion.target)]
    }

    private mutating func inConfirm(_ key: Key, _ deletion: CacheDeletion) -> [CacheScreenEffect] {
        switch key {
        case .escape: showNotice("nothing was deleted")
        // Not the key that asked, which may be held.
        case .character("y"):
            guard !areKeysTogether else {
                showNotice("it came like pasted text: the key once more does it")
                return []
            }
            if case .entries = deletion.target { marks = [:] }
        default:
            showNotice("y deletes, Esc keeps", .dim)
            return []
        }
        focus = .table
        updateViewport()
        return key == .escape ? [] : [.delete(deletion.target)]
    }

    private mutating func promptForPath() {
        guard !targets.isEmpty else { return }
        notice = nil
        exportPath = TextField()
        let only = targets.count == 1 ? targets.values.first : nil
        exportPath.propose(path: only.map { FileName.safe($0.name) } ?? "./")
        focus = .export(targets.keys.sorted())
    }

    /// Unpins the targets if all of them are pinned, otherwise pins them.
    private mutating func pin() -> [CacheScreenEffect] {
        let targets = targets
        guard !targets.isEmpty else { return [] }
        let isPinned = !targets.values.allSatisfy(\.isPinned)
        // The table shows the new state at once, so that a second press reverses it.
        window?.setPinned(isPinned, Set(targets.keys))
        for id in marks.keys { marks[id]?.isPinned = isPinned }
        return [.setPinned(targets.keys.sorted(), isPinned)]
    }

    private mutating func open() -> [CacheScreenEffect] {
        targets.isEmpty ? [] : [.open(targets.keys.sorted())]
    }
}

/// The mouse actions of the cache screen.
extension CacheScreenState {
    /// Rows per turn of the wheel.
    private static let wheelRows = 3

    mutating func handle(_ event: MouseEvent) -> [CacheScreenEffect] {
        switch (event.action, event.button) {
        case (.scrollUp, _): turn(-1, at: event.position)
        case (.scrollDown, _): turn(1, at: event.position)
        case (.press, .left): return press(at: event.position)
        default: break
        }
        return []
    }

    private mutating func turn(_ direction: Int, at place: Position) {
        switch focus {
        case .help: _ = press(direction > 0 ? .down : .up)
        case .table, .filter:
            if layout.details.contains(place) {
                scrollDetails(by: direction)
            } else {
                go(by: direction * Self.wheelRows)
            }
        case .totals, .confirm, .export: break
        }
    }

    private mutating func press(at place: Position) -> [CacheScreenEffect] {
        let layout = layout
        if place.row == layout.statusRow {
            let key = CacheStatusBar(state: self, row: place.row).key(at: place.column)
            return key.map { press($0) } ?? []
        }
        switch focus {
        case .help(var cursor):
            guard let row = helpPanel(cursor).row(at: place) else { return [] }
            if row == cursor.chosen { return press(.enter) }
            cursor.chosen = row
            focus = .help(cursor)
        case .totals: focus = .table
        case .table, .filter:
            if layout.table.contains(place) {
                pressRow(place.row - layout.table.row)
            } else if place.row == 1, layout.headerRows > 1, !listsGroups {
                pressTitle(at: place.column)
            }
        case .confirm, .export: break
        }
        return []
    }

    /// Selects a row, or opens the selected one.
    private mutating func pressRow(_ row: Int) {
        let place = viewport.visible(count: count, height: layout.table.rows).lowerBound + row
        guard place < count else { return }
        focus = .table
        if place == viewport.cursor { _ = press(.enter) } else { go(to: place) }
    }

    /// Sorts by a column, or reverses the order if the table is sorted by it.
    private mutating func pressTitle(at column: Int) {
        let slot = CacheColumn.slots(columns: size.columns).last { $0.start <= column }
        if let order = slot?.column.traits.order { sort(by: order) }
    }
}
