import Raster

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
        if let order = slot?.column.order { CacheScreenKeys.sort(by: order, &state) }
    }
}
