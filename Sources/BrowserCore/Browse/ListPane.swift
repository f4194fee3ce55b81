import Raster

/// The list: a header, then one line per item in fixed columns.
struct ListPane {
    let state: BrowseState
    let layout: BrowseLayout
    private let columns: ListColumns
    private let matcher: ListFilter.Matcher

    init(state: BrowseState, layout: BrowseLayout) {
        self.state = state
        self.layout = layout
        let hasPlaces = state.names == .file && state.list.items.hasPlaces
        matcher = state.list.filter.matcher()
        columns = ListColumns(width: layout.listColumns, hasPlaces: hasPlaces)
    }

    private var glyphs: GlyphSet { state.glyphs }

    func draw(_ canvas: inout Canvas) {
        if layout.headerRows > 0 { ListHeader(state: state, width: layout.listColumns).draw(&canvas) }
        let visible = state.viewport.visible(count: state.list.count, height: layout.list.rows)
        for row in visible { draw(row, at: layout.list.row + row - visible.lowerBound, &canvas) }
        if visible.isEmpty { drawEmpty(in: layout.list, &canvas) }
    }

    /// Draws a message in an empty list, once all items are known and filtered.
    func drawEmpty(in area: Rect, _ canvas: inout Canvas) {
        guard state.skippedLines != nil || state.list.isFiltered, !state.list.isFiltering else { return }
        let text = state.list.isFiltered ? "nothing matches" : "no pictures here"
        canvas.write(StyledText(text, .dim), centeredIn: area, area.row + area.rows / 3)
    }

    private func draw(_ row: Int, at line: Int, _ canvas: inout Canvas) {
        let index = state.list.index(at: row)
        let text = state.statusText(of: index)
        let isInRange = state.markedRange?.contains(row) == true
        if isInRange || state.list.marks.contains(index) {
            canvas.write(glyphs.marked, ListColumns.mark, line, width: 1, .accent)
        }
        canvas.write(text.sign, columns.sign, line, width: 1)
        let name = text.hasFacts ? columns.name : columns.longName
        let shown = NameText(of: index, in: state.list.items, state.names).text(
            width: name.width, ellipsis: glyphs.ellipsis, matching: matcher)
        canvas.write(shown, name.start, line, width: name.width)
        drawTraits(index, at: line, &canvas)
        drawFacts(text, at: line, &canvas)
        if isInRange { canvas.select(2, line, width: layout.listColumns - 3) }
        if row == state.viewport.cursor {
            canvas.drawCursor(ListColumns.selected, line, width: layout.listColumns - 2)
        }
    }

    /// Draws the columns that only a wide list has.
    private func drawTraits(_ index: Int, at line: Int, _ canvas: inout Canvas) {
        if let span = columns.place {
            let place = Fitting.truncateMiddle(
                state.list.items.place(at: index), to: span.width, ellipsis: glyphs.ellipsis)
            let text = NameText.text(place, .dim, matching: matcher)
            canvas.write(text, span.start, line, width: span.width)
        }
        if let span = columns.dimensions, let size = state.list.facts[index].size {
            let text = StyledText("\(size.width)\(glyphs.times)\(size.height)", .dim)
            canvas.write(text, endingAt: span.end, line, width: span.width)
        }
        if let span = columns.type, let format = state.list.facts.format(of: index, in: state.list.items)?.rawValue {
            let sign = state.list.facts[index].isMoving ? " \(glyphs.moving)" : ""
            canvas.write(format + sign, span.start, line, width: span.width, .dim)
        }
    }

    private func drawFacts(_ text: StatusText, at line: Int, _ canvas: inout Canvas) {
        let facts = columns.facts
        guard facts.width > 0 else { return }
        switch text.status {
        case .loading(let received, let total, let rate): drawTransfer(received, total, rate, text, line, &canvas)
        case .onDisk, .inMemory:
            canvas.write(text.fact(width: facts.width), endingAt: facts.end, line, width: facts.width)
        case .waiting, .connecting, .retrying, .parked, .failed, .duplicate:
            let delay = text.delay ?? StyledText()
            let room = facts.width - (delay.width > 0 ? max(4, delay.width) + (columns.rate == nil ? 1 : 2) : 0)
            if room > 2 { canvas.write(text.fact(width: room), facts.start, line, width: room) }
            canvas.write(delay, endingAt: facts.end, line, width: facts.width)
        }
    }

    /// Draws a bar, the percentage and the rate; the received bytes if the length is unknown.
    private func drawTransfer(
        _ received: Int, _ total: Int?, _ rate: Int?, _ text: StatusText, _ line: Int, _ canvas: inout Canvas
    ) {
        if let bar = columns.bar { canvas.write(text.field(width: bar.width), bar.start, line, width: bar.width) }
        let share = total.map { Units.percent(received, of: $0) }
        let amount = columns.rate == nil || share == nil ? Units.bytes(received) : nil
        if let span = columns.share, let text = columns.rate == nil ? share ?? amount : share {
            canvas.write(StyledText(text), endingAt: span.end, line, width: span.width)
        }
        if let span = columns.rate, let text = share == nil ? amount : rate.map({ Units.rate($0) }) {
            canvas.write(StyledText(text, .dim), endingAt: span.end, line, width: span.width)
        }
    }
}
