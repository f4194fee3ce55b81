import AlcedoFilters
import AlcedoScreen
import Raster

/// The keys of the browser by focus.
extension BrowseState {
    mutating func press(_ key: Key) -> [BrowseEffect] {
        showFullScreenLine()
        notice?.receiveKey(at: now)
        if notice?.isOver(at: now) == true { notice = nil }
        switch key {
        case .control("z"): return perform(.suspend)
        case .control("l"): return perform(.redraw)
        case .control("c"): return [.abort]
        default: break
        }
        let key = isTyping || options.keyMap.isCustomized(key) ? key : key.latin
        switch focus {
        case .list: return inList(key)
        case .filter: return inFilter(key)
        case .sorting: return inSorting(key)
        case .places(let cursor): return inPlaces(key, cursor)
        case .messages(let top): scrollMessages(key, top)
        case .files(let question): return inFiles(key, question)
        case .help(let palette): return inHelp(key, palette)
        case .tasks(let cursor): return inTasks(key, cursor)
        case .command(let field): return inCommand(key, field)
        case .processors(let menu): return inProcessors(key, menu)
        }
        return []
    }

    /// Whether letters are text.
    private var isTyping: Bool {
        switch focus {
        case .filter, .command, .help: true
        case .list, .sorting, .tasks, .files, .places, .messages, .processors: false
        }
    }

    private mutating func inList(_ key: Key) -> [BrowseEffect] {
        if key == .backspace, let time = erasingTime, now - time < Self.repeatTime {
            erasingTime = now
            return []
        }
        erasingTime = nil
        let keyMap = options.keyMap
        let first = firstKey.flatMap { keyMap.isStroke($0, key) ? $0 : nil }
        if firstKey != nil, first == nil {
            if !showsHints, keyMap.meaning(of: key, after: nil) == .action(.help) {
                hintTime = now
            } else {
                (firstKey, pendingCount) = (nil, nil)
            }
            return []
        }
        firstKey = nil
        // The keys of a comparison are pressed alone.
        if first == nil, comparison != nil, key == .character("x") { return perform(.cancel) }
        if first == nil, appendDigit(key) || scrollDetails(key) { return [] }
        let count = pendingCount
        pendingCount = nil
        if count != nil, key == .escape { return [] }
        switch keyMap.meaning(of: key, after: first) {
        case .action(let action): return perform(action, times: count)
        case .strokeStart:
            beginStroke(key)
            pendingCount = count
        case .nothing:
            let help = keyMap.firstKey(of: .help).map { ": \(KeyName.sign($0, glyphs)) shows the keys" }
            showQuietNotice("\(KeyName.sign(key, glyphs)) does nothing here\(help ?? "")")
        }
        return []
    }

    private mutating func inFilter(_ key: Key) -> [BrowseEffect] {
        if ![.tab, .backTab].contains(key) { filterForms = [] }
        switch key {
        case .escape: return perform(.clearFilter)
        case .enter:
            do throws(FilterProblem) { _ = try PictureFilter(filter.text, in: .list) } catch {
                showNotice("\(error)", short: "expected \(error.expected)", .failure)
                return []
            }
            focus = .list
            // The match under the cursor becomes the selection that later filters return to.
            go(by: 0)
        case .up: go(by: -1)
        case .down: go(by: 1)
        case .backspace where filter.text.isEmpty: (focus, erasingTime) = (.list, now)
        case .tab, .backTab: completeFilter(by: key == .tab ? 1 : -1)
        default:
            let old = filter.text
            if filter.handle(key), filter.text != old { applyFilter() }
        }
        return []
    }

    private mutating func inTasks(_ key: Key, _ cursor: TaskCursor) -> [BrowseEffect] {
        TaskAction(key).map { perform($0, at: cursor) } ?? []
    }

    private mutating func inCommand(_ key: Key, _ field: CommandField) -> [BrowseEffect] {
        var field = field
        if let effects = choose(folder: key, field) { return effects }
        switch key {
        case .escape,
            .backspace where field.field.text.isEmpty:
            focus = field.menu.map { .processors($0) } ?? .list
            if key == .backspace { erasingTime = now }
            return []
        case .enter where field.isTaken: return []
        case .enter:
            let command = CommandText(field.field.text, options)
            if areKeysTogether, command?.changesFiles == true {
                field.waitsForEnter = true
                focus = .command(field)
                return []
            }
            remember(command: field.field.text)
            if case .problem(let text) = command {
                showNotice(text, .failure)
                focus = .command(field)
                return []
            }
            focus = .list
            return command.map { run($0) } ?? []
        case .up: field.recall(by: 1, in: commands)
        case .down: field.recall(by: -1, in: commands)
        case .tab, .backTab:
            if let path = field.openPath { return [.listPaths(path)] }
            field.complete(by: key == .tab ? 1 : -1, options)
        default: field.handle(key)
        }
        focus = .command(field)
        return []
    }

    private mutating func inProcessors(_ key: Key, _ menu: ProcessorMenu) -> [BrowseEffect] {
        var menu = menu
        switch key {
        case .escape:
            focus = .list
            return setProcessor(menu.before)
        case .enter where menu.chain == menu.before:
            focus = .list
            showNotice("nothing changed: Space adds the selected step")
            return []
        case .enter, .character("P"), .character("q"):
            focus = .list
            return []
        case .character("e"):
            focus = .command(CommandField("process \(menu.chain)", from: menu))
            return []
        case .character("?"), .function(1):
            focus = .help(Palette(menu: menu))
            return []
        case .character(" "): menu.toggle()
        case .character("0"): menu.clear()
        case .character("j"), .down: menu.move(by: 1)
        case .character("k"), .up: menu.move(by: -1)
        case .character("h"), .left, .character("l"), .right:
            guard menu.adjust(by: [.character("l"), .right].contains(key) ? 1 : -1) else {
                showQuietNotice(menu.step?.isAdjustable == true ? "no further" : "there is no value to change")
                return []
            }
        default: return []
        }
        focus = .processors(menu)
        return setProcessor(menu.chain)
    }
}

extension BrowseState {
    /// The time in milliseconds in which a key that is held comes again.
    private static let repeatTime = 700
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
extension BrowseState {
    /// Rows per turn of the wheel.
    private static let wheelRows = 3

    mutating func handle(_ event: MouseEvent) -> [BrowseEffect] {
        showFullScreenLine()
        switch (event.action, event.button) {
        case (.scrollUp, _): return turn(-1, at: event.position)
        case (.scrollDown, _): return turn(1, at: event.position)
        case (.press, .left): return press(at: event.position)
        case (.drag, .left) where isDraggingDivider: listColumns = event.position.column
        case (.release, _): isDraggingDivider = false
        default: break
        }
        return []
    }

    private mutating func turn(_ direction: Int, at place: Position) -> [BrowseEffect] {
        let overPicture = layout.picture.contains(place) && (isFullScreen || layout.showsPreview)
        switch focus {
        case .help, .tasks, .processors: return press(direction > 0 ? .down : .up)
        case .list where overPicture && !zoom.isFit: self.zoom(direction < 0 ? .zoomIn : .zoomOut)
        case .list where overPicture && isFullScreen: go(by: direction)
        default: go(by: direction * (showsGrid ? layout.grid.columns : Self.wheelRows))
        }
        return []
    }

    private mutating func press(at place: Position) -> [BrowseEffect] {
        let layout = layout
        if place.row == layout.statusRow {
            return StatusBar(state: self, layout: layout).key(at: place.column).map { press($0) } ?? []
        }
        if let effects = pressPanel(at: place) { return effects }
        if showsGrid, !hasPopup { return pressCell(at: place) }
        let isRow = layout.list.contains(place) && layout.showsList
        if isRow, !isFullScreen { return pressRow(place.row - layout.list.row) }
        if isFullScreen, !hasPopup {
            setFullScreen(false)
        } else if layout.isWide, place.column == layout.listColumns, place.row < layout.bodyRows {
            isDraggingDivider = true
        } else if place.row == 0, place.column < layout.listColumns {
            return perform(.filter)
        } else if layout.picture.contains(place), !hasPopup, slot.picture != nil {
            setFullScreen(true)
        }
        return []
    }

    /// Selects an entry of the help, tasks or processors, or runs the selected one; nil outside of them.
    private mutating func pressPanel(at place: Position) -> [BrowseEffect]? {
        let layout = layout
        switch focus {
        case .help(var palette) where layout.popup.contains(place):
            guard let row = helpPanel(palette).row(at: place) else { return [] }
            if row == palette.cursor.chosen { return press(.enter) }
            palette.cursor.chosen = row
            focus = .help(palette)
        case .tasks(var cursor) where layout.popup.contains(place):
            let panel = TasksPanel(state: self, cursor: cursor, rect: layout.popup)
            if let host = panel.host(at: place) {
                cursor.move(to: host)
                focus = .tasks(cursor)
            }
            guard let row = panel.task(at: place) else { return [] }
            let tasks = tasks
            if cursor.host(in: taskHosts) == nil, row == cursor.row(in: tasks) { return press(.enter) }
            cursor.move(to: row, in: tasks, height: TasksPanel.rows(self))
            focus = .tasks(cursor)
        case .processors(var menu) where layout.menu.contains(place):
            guard let entry = ProcessorPanel(menu: menu, state: self, layout: layout).entry(at: place) else {
                return []
            }
            menu.choose(entry)
            focus = .processors(menu)
            return press(.character(" "))
        default: return nil
        }
        return []
    }

    /// Selects a thumbnail, or shows the selected one in full screen.
    private mutating func pressCell(at place: Position) -> [BrowseEffect] {
        let grid = layout.grid
        guard let number = grid.number(at: place) else { return [] }
        let range = gridRange(in: grid)
        let row = range.lowerBound + number
        guard range.contains(row) else { return [] }
        if row == viewport.cursor { return perform(.fullScreen) }
        go(to: row)
        return []
    }

    /// Selects a row, or shows the selected one in full screen.
    private mutating func pressRow(_ offset: Int) -> [BrowseEffect] {
        let visible = viewport.visible(count: list.count, height: layout.list.rows)
        let row = visible.lowerBound + offset
        guard visible.contains(row) else { return [] }
        if row == viewport.cursor, focus == .list { return perform(.fullScreen) }
        if focus == .filter { focus = .list }
        go(to: row)
        return []
    }
}
