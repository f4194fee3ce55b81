import AlcedoScreen
import Raster

/// The view of the browser.
///
/// Complexity: O(cells), whatever the length of the list.
extension BrowseState {
    /// Returns the whole screen in the state's size.
    package var frame: Frame {
        let layout = layout
        var canvas = Canvas(size: size, glyphs: glyphs)
        if isFullScreen, !hasPopup {
            drawFullScreen(layout, &canvas)
        } else {
            if isGrid, !hasPopup {
                drawGrid(layout, &canvas)
            } else {
                drawPanes(layout, &canvas)
            }
            if case .processors(let menu) = focus {
                ProcessorPanel(menu: menu, state: self, layout: layout).draw(&canvas)
            }
            drawEdges(layout, &canvas)
        }
        sheet(columns: layout.menu.columns, rows: layout.menu.rows)?.draw(in: layout.menu, &canvas)
        return canvas.frame
    }

    private func drawGrid(_ layout: BrowseLayout, _ canvas: inout Canvas) {
        if layout.headerRows > 0 {
            ListHeader(state: self, width: layout.size.columns, gridColumns: layout.grid.columns).draw(&canvas)
        }
        if list.count == 0 { ListPane(state: self, layout: layout).drawEmpty(in: layout.grid.area, &canvas) }
        GridPane(state: self, layout: layout).draw(&canvas)
    }

    private func drawPanes(_ layout: BrowseLayout, _ canvas: inout Canvas) {
        let showsList = !isGrid && layout.showsList
        if showsList { ListPane(state: self, layout: layout).draw(&canvas) }
        switch focus {
        case .help(let palette): helpPanel(palette).draw(&canvas)
        case .tasks(let cursor): TasksPanel(state: self, cursor: cursor, rect: layout.popup).draw(&canvas)
        case .list, .filter, .sorting, .files, .places, .messages, .command, .processors:
            guard layout.showsPreview else { return }
            SlotPane(state: self, rect: layout.picture, showsName: layout.titleRow == nil).draw(&canvas)
            InfoPane(state: self, layout: layout).draw(&canvas)
        }
    }

    private func drawEdges(_ layout: BrowseLayout, _ canvas: inout Canvas) {
        if let row = layout.ruleRow { canvas.rule(row: row) }
        if let row = layout.dividerRow, !isGrid { canvas.rule(row: row) }
        if layout.isWide, !isGrid {
            let spansPanes = layout.menu.columns > layout.listColumns
            for row in 0..<(spansPanes ? layout.menu.row : layout.bodyRows) {
                canvas.write(glyphs.vertical, layout.listColumns, row, width: 1, .divider)
            }
            if let row = layout.ruleRow, !spansPanes {
                canvas.write(glyphs.junction, layout.listColumns, row, width: 1, .divider)
            }
        }
        StatusBar(state: self, layout: layout).draw(&canvas)
    }

    /// The sentence in place of the difference of equal pictures, which is black.
    private var equalText: String? {
        guard comparison?.view == .difference, let facts = comparison?.facts, !facts.psnr.isFinite,
            facts.firstSize == facts.secondSize
        else { return nil }
        return "no difference: all \(Units.count(facts.firstSize.width * facts.firstSize.height)) pixels are equal"
    }

    private func drawFullScreen(_ layout: BrowseLayout, _ canvas: inout Canvas) {
        // The captions of a comparison have both names.
        if let text = equalText {
            canvas.write(
                StyledText(text, .ok), centeredIn: layout.picture, layout.picture.row + layout.picture.rows / 2)
        } else {
            SlotPane(state: self, rect: layout.picture, showsName: comparison == nil).draw(&canvas)
        }
        if focus != .list {
            if let row = layout.ruleRow, !layout.menu.isEmpty { canvas.rule(row: row) }
            StatusBar(state: self, layout: layout).draw(&canvas)
        } else if comparison != nil {
            ComparisonText(state: self, layout: layout).draw(&canvas)
        } else {
            FullScreenLine(state: self, layout: layout).draw(&canvas)
        }
    }
}

/// The line at the bottom of full screen; it disappears two seconds after the last key.
struct FullScreenLine {
    let state: BrowseState
    let layout: BrowseLayout

    func draw(_ canvas: inout Canvas) {
        guard let row = layout.statusRow, let index = state.selection else { return }
        if state.showsHints {
            return drawRight(HintLine(state.strokeHints, room: layout.size.columns - 2).text, row, &canvas)
        }
        if let notice = state.notice {
            let room = layout.size.columns - 2
            let text = StyledText(notice.text(width: room), notice.style)
            return drawRight(text.truncated(to: room, state.glyphs), row, &canvas)
        }
        guard state.now < state.fullScreenLineEnd else { return }
        let text = PictureText(item: state.list.items[index], facts: state.slot.picture, glyphs: state.glyphs)
        var line = StyledText("\(Units.count(state.viewport.cursor + 1))/\(Units.count(state.list.count))")
        let columns = layout.size.columns
        // Facts leave room for the key that leads back, and are dropped whole; the zoom is worth more than that key.
        let most = columns - 5 - HintLine(hints.suffix(columns < 60 && !state.zoom.isFit ? 1 : 2)).width
        let zoom = [state.zoomFact, state.zoomMap].compactMap(\.self)
        let room = min(40, max(8, most - line.width - 2 - zoom.reduce(0) { $0 + $1.width + 2 }))
        line.append(
            StyledText(Fitting.truncateMiddle(text.item.name, to: room, ellipsis: state.glyphs.ellipsis), .strong),
            gap: 2)
        let page = text.facts?.pages ?? 1 > 1 ? text.frames(stoppedAt: nil) : nil
        let facts = [
            text.format.map { StyledText($0, .dim) }, state.fitText.map { StyledText($0, .dim) },
            page.map { StyledText($0) }, text.warning.map { StyledText($0, .warning) },
            state.slideEnd.map { _ in StyledText("slideshow", .accent) },
        ]
        for fact in zoom + facts.compactMap(\.self) where line.width + 2 + fact.width <= most {
            line.append(fact, gap: 2)
        }
        let next = canvas.write(line, 1, row, width: columns - 2)
        drawRight(HintLine(hints, room: columns - next - 3).text, row, &canvas)
    }

    private var hints: [HintLine.Hint] {
        let moves =
            state.zoom.isFit
            ? [hint([.down, .up], "move"), hint([.zoomIn], "zoom")]
            : [
                hint(BrowseState.panKeys, "move"), hint([.zoomIn], "in"), hint([.zoomOut], "out"),
                hint([.zoomFit], "fit"),
            ]
        let hasPages = state.slot.picture?.pages ?? 1 > 1
        let pages = hasPages ? hint([.previousFrame, .nextFrame], "page") : nil
        let moving = state.slot.picture?.frameInterval != nil
        let motion = moving ? hint([.pauseAnimation], state.isMotionPaused ? "play" : "pause") : nil
        let both = state.zoom.isFit ? hint([.fullScreen, .clearFilter], "back") : nil
        let back = both ?? hint([.fullScreen], "back")
        let slides = hint([.slideshow], state.slideEnd == nil ? "slideshow" : "end slideshow")
        return (moves + [pages, motion, slides, back, hint([.help], "help")]).compactMap(\.self)
    }

    private func hint(_ actions: [BrowseAction], _ title: String) -> HintLine.Hint? { state.hint(actions, title) }

    private func drawRight(_ text: StyledText, _ row: Int, _ canvas: inout Canvas) {
        canvas.write(text, endingAt: layout.size.columns - 1, row, width: layout.size.columns - 2)
    }
}
