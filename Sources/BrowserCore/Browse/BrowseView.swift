import Raster

/// The browser's screen as a function of its state.
///
/// Complexity: O(cells), whatever the length of the list.
package enum BrowseView {
    /// The whole screen at the size the state was last told.
    package static func frame(_ state: BrowseState) -> Frame {
        let layout = state.layout
        var canvas = Canvas(size: state.size, glyphs: state.glyphs)
        if state.isFullScreen, !state.hasPopup {
            drawFullScreen(state, layout, &canvas)
        } else {
            if state.isGrid { drawGrid(state, layout, &canvas) } else { drawPanes(state, layout, &canvas) }
            if case .processors(let menu) = state.focus {
                ProcessorPanel(menu: menu, state: state, layout: layout).draw(&canvas)
            }
            drawEdges(state, layout, &canvas)
        }
        return canvas.frame
    }

    private static func drawGrid(_ state: BrowseState, _ layout: BrowseLayout, _ canvas: inout Canvas) {
        switch state.focus {
        case .help(let palette): HelpPanel(palette: palette, rect: layout.popup, state: state).draw(&canvas)
        case .tasks(let cursor): TasksPanel(state: state, cursor: cursor, rect: layout.popup).draw(&canvas)
        case .list, .filter, .command, .processors:
            if layout.headerRows > 0 { ListHeader(state: state, width: layout.size.columns).draw(&canvas) }
            if state.list.count == 0 {
                ListPane(state: state, layout: layout).drawEmpty(in: layout.grid.area, &canvas)
            }
            GridPane(state: state, layout: layout).draw(&canvas)
        }
    }

    private static func drawPanes(_ state: BrowseState, _ layout: BrowseLayout, _ canvas: inout Canvas) {
        let showsList = layout.isWide || (state.pane == .list && !state.hasPopup)
        if showsList { ListPane(state: state, layout: layout).draw(&canvas) }
        switch state.focus {
        case .help(let palette): HelpPanel(palette: palette, rect: layout.popup, state: state).draw(&canvas)
        case .tasks(let cursor): TasksPanel(state: state, cursor: cursor, rect: layout.popup).draw(&canvas)
        case .list, .filter, .command, .processors:
            guard layout.isWide || state.pane == .preview else { return }
            SlotPane(state: state, rect: layout.picture, showsName: layout.titleRow == nil).draw(&canvas)
            InfoPane(state: state, layout: layout).draw(&canvas)
        }
    }

    private static func drawEdges(_ state: BrowseState, _ layout: BrowseLayout, _ canvas: inout Canvas) {
        if let row = layout.ruleRow { canvas.rule(row: row) }
        if layout.isWide, !state.isGrid {
            for row in 0..<layout.bodyRows {
                canvas.write(state.glyphs.vertical, layout.listColumns, row, width: 1, .divider)
            }
            if let row = layout.ruleRow {
                canvas.write(state.glyphs.junction, layout.listColumns, row, width: 1, .divider)
            }
        }
        StatusBar(state: state, layout: layout).draw(&canvas)
    }

    private static func drawFullScreen(_ state: BrowseState, _ layout: BrowseLayout, _ canvas: inout Canvas) {
        SlotPane(state: state, rect: layout.picture).draw(&canvas)
        if case .command = state.focus {
            StatusBar(state: state, layout: layout).draw(&canvas)
        } else {
            FullScreenLine(state: state, layout: layout).draw(&canvas)
        }
    }
}
