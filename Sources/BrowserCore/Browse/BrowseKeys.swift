import Raster

/// The keys of the browser by focus.
enum BrowseKeys {
    static func press(_ key: Key, _ state: inout BrowseState) -> [BrowseEffect] {
        state.showFullScreenLine()
        switch key {
        case .control("z"): return BrowseUpdate.perform(.suspend, &state)
        case .control("l"): return BrowseUpdate.perform(.redraw, &state)
        case .control("c"): return [.abort]
        default: break
        }
        switch state.focus {
        case .list: return inList(key, &state)
        case .filter: return inFilter(key, &state)
        case .help(let palette): return inHelp(key, palette, &state)
        case .tasks(let cursor): return inTasks(key, cursor, &state)
        case .command(let field): return inCommand(key, field, &state)
        case .processors(let menu): return inProcessors(key, menu, &state)
        }
    }

    private static func inList(_ key: Key, _ state: inout BrowseState) -> [BrowseEffect] {
        let keyMap = state.options.keyMap
        let first = state.firstKey.flatMap { keyMap.isStroke($0, key) ? $0 : nil }
        state.firstKey = nil
        if first == nil, state.appendDigit(key) { return [] }
        let count = state.pendingCount
        state.pendingCount = nil
        if count != nil, key == .escape { return [] }
        switch keyMap.meaning(of: key, after: first) {
        case .action(let action): return BrowseUpdate.perform(action, times: count, &state)
        case .strokeStart: (state.firstKey, state.pendingCount) = (key, count)
        case .nothing:
            let help = keyMap.firstKey(of: .help).map {
                ": \(KeyName.sign($0, state.glyphs)) shows the keys"
            }
            state.showQuietNotice("\(KeyName.sign(key, state.glyphs)) does nothing here\(help ?? "")")
        }
        return []
    }

    private static func inFilter(_ key: Key, _ state: inout BrowseState) -> [BrowseEffect] {
        switch key {
        case .escape: return BrowseUpdate.perform(.clearFilter, &state)
        case .enter:
            state.focus = .list
            // The match under the cursor becomes the selection that later filters return to.
            state.go(by: 0)
        case .up: state.go(by: -1)
        case .down: state.go(by: 1)
        case .backspace where state.filter.text.isEmpty: state.focus = .list
        case .tab: state.completeFilter()
        default: if state.filter.handle(key) { state.applyFilter() }
        }
        return []
    }

    private static func inHelp(_ key: Key, _ palette: Palette, _ state: inout BrowseState) -> [BrowseEffect] {
        var palette = palette
        let keyMap = state.options.keyMap
        switch key {
        case .escape, .function(1):
            state.focus = palette.tasks.map { .tasks($0) } ?? .list
            return []
        case .enter: return run(palette.entry(keyMap), of: palette, &state)
        case .up, .control("p"), .backTab: palette.move(by: -1, keyMap)
        case .down, .control("n"), .tab: palette.move(by: 1, keyMap)
        case .pageUp, .pageDown:
            let panel = HelpPanel(palette: palette, rect: state.layout.popup, state: state)
            palette.choose(panel.entry(turningBy: key == .pageDown ? 1 : -1))
        case .home: palette.moveToStart()
        case .end: palette.moveToEnd(keyMap)
        default: palette.handle(key)
        }
        state.focus = .help(palette)
        return []
    }

    private static func run(
        _ entry: Palette.Entry?, of palette: Palette, _ state: inout BrowseState
    ) -> [BrowseEffect] {
        switch entry {
        case .browser(let action):
            state.focus = .list
            return BrowseUpdate.perform(action, &state)
        case .task(let action): return palette.tasks.map { state.perform(action, at: $0) } ?? []
        case nil: return []
        }
    }

    private static func inTasks(_ key: Key, _ cursor: TaskCursor, _ state: inout BrowseState) -> [BrowseEffect] {
        TaskAction(key).map { state.perform($0, at: cursor) } ?? []
    }

    private static func inCommand(_ key: Key, _ field: CommandField, _ state: inout BrowseState) -> [BrowseEffect] {
        var field = field
        switch key {
        case .escape,
            .backspace where field.field.text.isEmpty:
            state.focus = field.menu.map { .processors($0) } ?? .list
            return []
        case .enter:
            state.focus = .list
            state.remember(command: field.field.text)
            return CommandText(field.field.text, state.options).map { state.run($0) } ?? []
        case .up: field.recall(by: 1, in: state.commands)
        case .down: field.recall(by: -1, in: state.commands)
        case .tab, .backTab:
            if let path = field.openPath { return [.listPaths(path)] }
            field.complete(by: key == .tab ? 1 : -1, state.options)
        default: field.handle(key)
        }
        state.focus = .command(field)
        return []
    }

    private static func inProcessors(_ key: Key, _ menu: ProcessorMenu, _ state: inout BrowseState) -> [BrowseEffect] {
        var menu = menu
        switch key {
        case .escape:
            state.focus = .list
            return state.setProcessor(menu.before)
        case .enter where menu.chain == menu.before:
            state.focus = .list
            state.showNotice("nothing changed: Space adds the selected step")
            return []
        case .enter, .character("P"), .character("q"):
            state.focus = .list
            return []
        case .character("e"):
            state.focus = .command(CommandField("process \(menu.chain)", from: menu))
            return []
        case .character(" "): menu.toggle()
        case .character("0"): menu.clear()
        case .character("j"), .down: menu.move(by: 1)
        case .character("k"), .up: menu.move(by: -1)
        case .character("h"), .left, .character("l"), .right:
            guard menu.adjust(by: [.character("l"), .right].contains(key) ? 1 : -1) else {
                state.showQuietNotice(menu.step?.isAdjustable == true ? "no further" : "there is no value to change")
                return []
            }
        default: return []
        }
        state.focus = .processors(menu)
        return state.setProcessor(menu.chain)
    }
}

extension BrowseState {
    /// The largest count that can be typed before a key.
    private static let countLimit = 99_999_999

    /// Appends a digit to the count before a key.
    ///
    /// Digits that the user bound keep their meaning, as do all digits in full screen and in a zoomed picture.
    /// - Returns: false if the key is not part of a count.
    mutating func appendDigit(_ key: Key) -> Bool {
        guard case .character(let character) = key, character.isASCII, let digit = character.wholeNumberValue,
            !isFullScreen, zoom.isFit, !options.keyMap.isCustomized(key), digit > 0 || pendingCount != nil
        else { return false }
        pendingCount = min((pendingCount ?? 0) * 10 + digit, Self.countLimit)
        return true
    }

    /// The typed part of an incomplete command, such as `4g`; empty if there is none.
    var pendingKeys: String {
        guard focus == .list else { return "" }
        return (pendingCount.map { String($0) } ?? "") + (firstKey.map { KeyName.sign($0, glyphs) } ?? "")
    }
}

/// The mouse actions of the browser by position.
enum BrowseMouse {
    /// Rows per turn of the wheel.
    private static let wheelRows = 3

    static func handle(_ event: MouseEvent, _ state: inout BrowseState) -> [BrowseEffect] {
        state.showFullScreenLine()
        switch (event.action, event.button) {
        case (.scrollUp, _): return turn(-1, at: event.position, &state)
        case (.scrollDown, _): return turn(1, at: event.position, &state)
        case (.press, .left): return press(at: event.position, &state)
        case (.drag, .left) where state.isDraggingDivider: state.listColumns = event.position.column
        case (.release, _): state.isDraggingDivider = false
        default: break
        }
        return []
    }

    private static func turn(_ direction: Int, at place: Position, _ state: inout BrowseState) -> [BrowseEffect] {
        let overPicture = state.layout.picture.contains(place) && (state.isFullScreen || state.layout.isWide)
        switch state.focus {
        case .help, .tasks, .processors:
            return BrowseKeys.press(direction > 0 ? .down : .up, &state)
        case .list where overPicture && !state.zoom.isFit: state.zoom(direction < 0 ? .zoomIn : .zoomOut)
        case .list where overPicture && state.isFullScreen: state.go(by: direction)
        default: state.go(by: direction * (state.showsGrid ? state.layout.grid.columns : wheelRows))
        }
        return []
    }

    private static func press(at place: Position, _ state: inout BrowseState) -> [BrowseEffect] {
        let layout = state.layout
        if place.row == layout.statusRow {
            return StatusBar(state: state, layout: layout).key(at: place.column).map { BrowseKeys.press($0, &state) }
                ?? []
        }
        if let effects = pressPanel(at: place, &state) { return effects }
        if state.showsGrid, !state.hasPopup { return pressCell(at: place, &state) }
        if state.isFullScreen, !state.hasPopup {
            state.setFullScreen(false)
        } else if layout.isWide, place.column == layout.listColumns, place.row < layout.bodyRows {
            state.isDraggingDivider = true
        } else if layout.list.contains(place), layout.isWide || state.pane == .list, !state.hasPopup || layout.isWide {
            pressRow(place.row - layout.list.row, &state)
        } else if place.row == 0, place.column < layout.listColumns {
            return BrowseUpdate.perform(.filter, &state)
        } else if layout.picture.contains(place), !state.hasPopup, state.slot.picture != nil {
            state.setFullScreen(true)
        }
        return []
    }

    /// Selects an entry of the help, tasks or processors, or runs the selected one; nil outside of them.
    private static func pressPanel(at place: Position, _ state: inout BrowseState) -> [BrowseEffect]? {
        let layout = state.layout
        switch state.focus {
        case .help(var palette) where layout.popup.contains(place):
            let panel = HelpPanel(palette: palette, rect: layout.popup, state: state)
            guard let entry = panel.entry(at: place) else { return [] }
            if entry == palette.chosen { return BrowseKeys.press(.enter, &state) }
            palette.choose(entry)
            state.focus = .help(palette)
        case .tasks(var cursor) where layout.popup.contains(place):
            let panel = TasksPanel(state: state, cursor: cursor, rect: layout.popup)
            if let host = panel.host(at: place) {
                cursor.move(to: host)
                state.focus = .tasks(cursor)
            }
            guard let row = panel.task(at: place) else { return [] }
            let tasks = state.tasks
            if cursor.host(in: state.taskHosts) == nil, row == cursor.row(in: tasks) {
                return BrowseKeys.press(.enter, &state)
            }
            cursor.move(to: row, in: tasks, height: TasksPanel.rows(state))
            state.focus = .tasks(cursor)
        case .processors(var menu) where layout.menu.contains(place):
            guard let entry = ProcessorPanel(menu: menu, state: state, layout: layout).entry(at: place) else {
                return []
            }
            menu.choose(entry)
            state.focus = .processors(menu)
            return BrowseKeys.press(.character(" "), &state)
        default: return nil
        }
        return []
    }

    /// Selects a thumbnail, or shows the selected one in full screen.
    private static func pressCell(at place: Position, _ state: inout BrowseState) -> [BrowseEffect] {
        guard let number = state.layout.grid.number(at: place) else { return [] }
        let row = state.gridRange.lowerBound + number
        guard state.gridRange.contains(row) else { return [] }
        if row == state.viewport.cursor { state.setFullScreen(true) } else { state.go(to: row) }
        return []
    }

    /// Selects a row, or shows the selected one in full screen.
    private static func pressRow(_ offset: Int, _ state: inout BrowseState) {
        let visible = state.viewport.visible(count: state.list.count, height: state.layout.list.rows)
        let row = visible.lowerBound + offset
        guard visible.contains(row) else { return }
        if row == state.viewport.cursor, state.focus == .list { return state.setFullScreen(true) }
        if state.focus == .filter { state.focus = .list }
        state.go(to: row)
    }
}
