import Raster

/// What the mouse means, by where it is.
enum BrowseMouse {
    /// Rows that a turn of the wheel moves.
    private static let wheelRows = 3

    static func happen(_ event: MouseEvent, _ state: inout BrowseState) -> [BrowseEffect] {
        state.wakeFullScreenLine()
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
        if state.showsGrid, !state.hasPopup { return pressCell(at: place, &state) }
        if state.isFullScreen, !state.hasPopup {
            state.setFullScreen(false)
        } else if layout.isWide, place.column == layout.listColumns, place.row < layout.bodyRows {
            state.isDraggingDivider = true
        } else if layout.list.contains(place), layout.isWide || state.pane == .list, !state.hasPopup || layout.isWide {
            pressRow(place.row - layout.list.row, &state)
        } else if place.row == 0, place.column < layout.listColumns {
            return BrowsePerform.perform(.filter, &state)
        } else if layout.picture.contains(place), !state.hasPopup, state.slot.picture != nil {
            state.setFullScreen(true)
        }
        return []
    }

    /// Chooses a thumbnail; the chosen one is shown in full screen.
    private static func pressCell(at place: Position, _ state: inout BrowseState) -> [BrowseEffect] {
        guard let number = state.layout.grid.number(at: place) else { return [] }
        let row = state.gridRange.lowerBound + number
        guard state.gridRange.contains(row) else { return [] }
        if row == state.viewport.cursor { state.setFullScreen(true) } else { state.go(to: row) }
        return []
    }

    /// Chooses a row; the chosen one is shown in full screen.
    private static func pressRow(_ offset: Int, _ state: inout BrowseState) {
        let visible = state.viewport.visible(count: state.list.count, height: state.layout.list.rows)
        let row = visible.lowerBound + offset
        guard visible.contains(row) else { return }
        if row == state.viewport.cursor, state.focus == .list { return state.setFullScreen(true) }
        if state.focus == .filter { state.focus = .list }
        state.go(to: row)
    }
}

extension Rect {
    fileprivate func contains(_ place: Position) -> Bool {
        (column..<column + columns).contains(place.column) && (row..<row + rows).contains(place.row)
    }
}
