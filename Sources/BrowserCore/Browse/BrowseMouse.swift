import Raster

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
