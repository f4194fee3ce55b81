import Raster

/// The keys of the cache screen.
enum CacheScreenKeys {
    static func press(_ key: Key, _ state: inout CacheScreenState) -> [CacheScreenEffect] {
        switch key {
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        case .control("c"): return [.quit]
        default: break
        }
        switch state.focus {
        case .table: return inTable(key, &state)
        case .filter: inFilter(key, &state)
        case .confirm(let deletion): return inConfirm(key, deletion, &state)
        case .export(let ids): return inExport(key, ids, &state)
        case .help(let page):
            let place = scrolled(page, key, last: CacheHelp(state: state).pages - 1)
            state.focus = place.map { .help(page: $0) } ?? .table
        case .totals(let top):
            let place = scrolled(top, key, last: state.totalsPanel?.lastTop ?? 0)
            state.focus = place.map { .totals(top: $0) } ?? .table
        }
        return []
    }

    /// Returns the position after a key that scrolls help or totals; nil for a key that closes them.
    private static func scrolled(_ place: Int, _ key: Key, last: Int) -> Int? {
        let place = min(place, last)
        return switch key {
        case .character("j"), .down, .pageDown, .character(" "): min(last, place + 1)
        case .character("k"), .up, .pageUp: max(0, place - 1)
        default: nil
        }
    }

    /// Inserts pasted text into the field that is being edited; ignores it elsewhere.
    static func paste(_ text: String, _ state: inout CacheScreenState) {
        switch state.focus {
        case .filter:
            state.filter.insert(text)
            state.requery()
        case .export: state.exportPath.insert(text)
        case .table, .confirm, .help, .totals: break
        }
    }

    private static func inTable(_ key: Key, _ state: inout CacheScreenState) -> [CacheScreenEffect] {
        if move(key, &state) { return [] }
        if state.listsGroups, isOfEntries(key, state) {
            state.showNotice("that is done to entries: Enter opens the group")
            return []
        }
        switch key {
        case .character("q"): return [.quit]
        case .character("s"): sort(&state)
        case .character("S"): reverse(&state)
        case .character("g"): group(&state)
        case .character("/"): state.focus = .filter
        case .escape: goBack(&state)
        case .character(" "): mark(&state)
        case .character("u"): state.marks = [:]
        case .character("d"), .delete: return promptToDelete(CacheDeletion(state), &state)
        case .character("D"): return promptToDeleteAll(&state)
        case .character("e"): promptForPath(&state)
        case .character("p"): return pin(&state)
        case .character("v"): return state.targets.isEmpty ? [] : [.verify(state.targets.keys.sorted())]
        case .character("o"): return open(&state)
        case .character("i"): toggleDetails(&state)
        case .character("J"): state.scrollDetails(by: 1)
        case .character("K"): state.scrollDetails(by: -1)
        case .enter: enter(&state)
        case .character("t"): state.focus = .totals(top: 0)
        case .character("r"): state.isStale = true
        case .character("?"), .function(1): state.focus = .help(page: 0)
        default: state.showNotice("that key does nothing here: ? shows the keys")
        }
        return []
    }

    /// Whether a key needs the table of entries, or entries while none are marked.
    private static func isOfEntries(_ key: Key, _ state: CacheScreenState) -> Bool {
        guard case .character(let character) = key else { return false }
        return "sSi ".contains(character) || state.marks.isEmpty && "pveo".contains(character)
    }

    private static func move(_ key: Key, _ state: inout CacheScreenState) -> Bool {
        let page = max(1, state.layout.table.rows)
        switch key {
        case .character("j"), .down: state.go(by: 1)
        case .character("k"), .up: state.go(by: -1)
        case .home: state.go(to: 0)
        case .character("G"), .end: state.go(to: .max)
        case .control("d"): state.go(by: max(1, page / 2))
        case .control("u"): state.go(by: -max(1, page / 2))
        case .control("f"), .pageDown: state.go(by: page)
        case .control("b"), .pageUp: state.go(by: -page)
        default: return false
        }
        return true
    }

    private static func inFilter(_ key: Key, _ state: inout CacheScreenState) {
        switch key {
        case .escape:
            state.focus = .table
            clearFilter(&state)
        case .enter: state.focus = .table
        case .backspace where state.filter.text.isEmpty: state.focus = .table
        default: if state.filter.handle(key) { state.requery() }
        }
    }

    private static func inExport(_ key: Key, _ ids: [String], _ state: inout CacheScreenState) -> [CacheScreenEffect] {
        switch key {
        case .escape: state.focus = .table
        case .enter:
            state.focus = .table
            return state.exportPath.text.isEmpty ? [] : [.export(ids, path: state.exportPath.text)]
        default: _ = state.exportPath.handle(key)
        }
        return []
    }

    private static func sort(_ state: inout CacheScreenState) {
        let orders = CacheQuery.Order.allCases
        let place = orders.firstIndex(of: state.order) ?? 0
        sort(by: orders[(place + 1) % orders.count], &state)
    }

    static func sort(by order: CacheQuery.Order, _ state: inout CacheScreenState) {
        guard order != state.order else { return reverse(&state) }
        state.order = order
        state.ascending = state.order == .host || state.order == .expiry
        // On a narrow screen, the sorted column may be hidden.
        state.showNotice("sorted by \(state.order.title)")
        state.requery()
    }

    private static func reverse(_ state: inout CacheScreenState) {
        state.ascending.toggle()
        state.requery()
    }

    private static func clearFilter(_ state: inout CacheScreenState) {
        guard !state.filter.text.isEmpty else { return }
        state.filter = TextField()
        state.requery()
    }

    private static func toggleDetails(_ state: inout CacheScreenState) {
        // An empty table has no details.
        guard state.showsDetails || state.selected != nil else { return }
        state.showsDetails.toggle()
        state.updateViewport()
    }
}

// MARK: - Groups

extension CacheScreenKeys {
    private static func group(_ state: inout CacheScreenState) {
        let all = CacheQuery.Grouping.allCases
        let place = state.grouping.flatMap { all.firstIndex(of: $0) }
        let next = place.map { $0 + 1 } ?? 0
        state.grouping = next < all.count ? all[next] : nil
        state.openGroup = nil
        state.groupPlace = 0
        state.requery()
    }

    private static func enter(_ state: inout CacheScreenState) {
        guard state.listsGroups else { return toggleDetails(&state) }
        guard let group = state.selectedGroup else { return }
        state.groupPlace = state.viewport.cursor
        state.openGroup = group
        state.requery()
    }

    /// Closes the details, the group, the filter or the grouping, whichever is open.
    private static func goBack(_ state: inout CacheScreenState) {
        if state.showsDetails, !state.listsGroups {
            toggleDetails(&state)
        } else if state.openGroup != nil {
            state.openGroup = nil
            state.requery()
            state.returnPlace = state.groupPlace
        } else if !state.filter.text.isEmpty {
            clearFilter(&state)
        } else if state.grouping != nil {
            state.grouping = nil
            state.requery()
        }
    }
}

// MARK: - Entries

extension CacheScreenKeys {
    private static func mark(_ state: inout CacheScreenState) {
        guard let row = state.selected else { return }
        if state.marks.removeValue(forKey: row.id) == nil { state.marks[row.id] = row }
        state.go(by: 1)
    }

    private static func promptToDeleteAll(_ state: inout CacheScreenState) -> [CacheScreenEffect] {
        if state.listsGroups {
            state.showNotice("d deletes a group; open it to choose")
            return []
        }
        return promptToDelete(CacheDeletion(allOf: state), &state)
    }

    private static func promptToDelete(
        _ deletion: CacheDeletion?, _ state: inout CacheScreenState
    ) -> [CacheScreenEffect] {
        guard let deletion else { return [] }
        state.notice = nil
        state.focus = .confirm(deletion)
        return [deletion.measurement]
    }

    private static func inConfirm(
        _ key: Key, _ deletion: CacheDeletion, _ state: inout CacheScreenState
    ) -> [CacheScreenEffect] {
        state.focus = .table
        guard key == .character("y") || key == .character("Y") else { return [] }
        if case .entries = deletion.target { state.marks = [:] }
        return [deletion.effect]
    }

    private static func promptForPath(_ state: inout CacheScreenState) {
        guard !state.targets.isEmpty else { return }
        state.notice = nil
        state.exportPath = TextField()
        let only = state.targets.count == 1 ? state.targets.values.first : nil
        state.exportPath.propose(path: only.map { FileName.safe($0.name) } ?? "./")
        state.focus = .export(state.targets.keys.sorted())
    }

    /// Unpins the targets if all of them are pinned, otherwise pins them.
    private static func pin(_ state: inout CacheScreenState) -> [CacheScreenEffect] {
        let targets = state.targets
        guard !targets.isEmpty else { return [] }
        let isPinned = !targets.values.allSatisfy(\.isPinned)
        // The table shows the new state at once, so that a second press reverses it.
        state.window?.setPinned(isPinned, Set(targets.keys))
        for id in state.marks.keys { state.marks[id]?.isPinned = isPinned }
        return [.setPinned(targets.keys.sorted(), isPinned)]
    }

    private static func open(_ state: inout CacheScreenState) -> [CacheScreenEffect] {
        state.targets.isEmpty ? [] : [.open(state.targets.keys.sorted())]
    }
}

/// The mouse actions of the cache screen.
enum CacheScreenMouse {
    /// Rows per turn of the wheel.
    private static let wheelRows = 3

    static func handle(_ event: MouseEvent, _ state: inout CacheScreenState) -> [CacheScreenEffect] {
        switch (event.action, event.button) {
        case (.scrollUp, _): turn(-1, at: event.position, &state)
        case (.scrollDown, _): turn(1, at: event.position, &state)
        case (.press, .left): return press(at: event.position, &state)
        default: break
        }
        return []
    }

    private static func turn(_ direction: Int, at place: Position, _ state: inout CacheScreenState) {
        switch state.focus {
        case .help: _ = CacheScreenKeys.press(direction > 0 ? .down : .up, &state)
        case .table, .filter:
            if state.layout.details.contains(place) {
                state.scrollDetails(by: direction)
            } else {
                state.go(by: direction * wheelRows)
            }
        case .totals, .confirm, .export: break
        }
    }

    private static func press(at place: Position, _ state: inout CacheScreenState) -> [CacheScreenEffect] {
        let layout = state.layout
        if place.row == layout.statusRow {
            let key = CacheStatusBar(state: state, row: place.row).key(at: place.column)
            return key.map { CacheScreenKeys.press($0, &state) } ?? []
        }
        switch state.focus {
        case .help, .totals: state.focus = .table
        case .table, .filter:
            if layout.table.contains(place) {
                pressRow(place.row - layout.table.row, &state)
            } else if place.row == 1, layout.headerRows > 1, !state.listsGroups {
                pressTitle(at: place.column, &state)
            }
        case .confirm, .export: break
        }
        return []
    }

    /// Selects a row, or opens the selected one.
    private static func pressRow(_ row: Int, _ state: inout CacheScreenState) {
        let place = state.viewport.visible(count: state.count, height: state.layout.table.rows).lowerBound + row
        guard place < state.count else { return }
        state.focus = .table
        if place == state.viewport.cursor {
            _ = CacheScreenKeys.press(.enter, &state)
        } else {
            state.go(to: place)
        }
    }

    /// Sorts by a column, or reverses the order if the table is sorted by it.
    private static func pressTitle(at column: Int, _ state: inout CacheScreenState) {
        let slot = CacheColumn.slots(columns: state.size.columns).last { $0.start <= column }
        if let order = slot?.column.traits.order { CacheScreenKeys.sort(by: order, &state) }
    }
}
