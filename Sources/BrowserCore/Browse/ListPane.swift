import Raster

/// The list: a header, then one line an item.
struct ListPane {
    let state: BrowseState
    let layout: BrowseLayout

    private var glyphs: GlyphSet { state.glyphs }
    private var columns: Int { layout.listColumns }
    /// Where the facts at the right end.
    private var edge: Int { columns - (columns >= 40 ? 2 : 1) }
    private var fieldWidth: Int { min(14, max(4, columns / 4)) }

    func draw(_ canvas: inout Canvas) {
        drawHeader(&canvas)
        let visible = state.viewport.visible(count: state.list.count, height: layout.list.rows)
        for row in visible { draw(row, at: layout.list.row + row - visible.lowerBound, &canvas) }
        if visible.isEmpty { drawEmpty(in: layout.list, &canvas) }
    }

    func drawHeader(_ canvas: inout Canvas) {
        guard layout.headerRows > 0 else { return }
        if state.focus == .filter || state.list.isFiltered { return drawFilter(&canvas) }
        let next = canvas.write("alcedo", 1, 0, width: columns - 1, .heading)
        let note = headerNote
        let room = edge - next - 2 - (note.isEmpty ? 0 : note.count + 2)
        canvas.write(Fitting.middle(state.title, to: room, ellipsis: glyphs.ellipsis), next + 2, 0, width: room)
        if !note.isEmpty { canvas.write(StyledText(note, .dim), endingAt: edge, 0, width: edge - next - 2) }
    }

    /// How far the reading is, how many lines were of no use, and what the rows are sorted by.
    private var headerNote: String {
        let count = state.skippedLines == nil ? "reading\(glyphs.ellipsis) \(Units.count(state.list.count))" : ""
        let skipped = state.skippedLines.flatMap { $0 > 0 ? "\(Units.count($0)) skipped" : nil } ?? ""
        let order = state.list.order == .list ? "" : "by \(state.list.order.rawValue)"
        return [order, skipped, count].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private func drawFilter(_ canvas: inout Canvas) {
        let found = Units.count(state.list.count) + (state.list.isFiltering ? glyphs.ellipsis : "")
        let count = StyledText("\(found) of \(Units.count(state.list.items.count))", .dim)
        let room = max(0, edge - 5 - count.width)
        let start = canvas.write("/", 1, 0, width: 1, .heading) + 1
        let excess = CellWidth.of(state.filter.text) - room
        let shown = excess > 0 ? Fitting.last(state.filter.text, to: room) : state.filter.text
        let next = canvas.write(shown, start, 0, width: room, .accent)
        if state.focus == .filter { canvas.showCursor(next, 0) }
        canvas.write(count, endingAt: edge, 0, width: edge - next - 1)
    }

    /// Says so only when everything there is has been looked at.
    func drawEmpty(in area: Rect, _ canvas: inout Canvas) {
        guard state.skippedLines != nil || state.list.isFiltered, !state.list.isFiltering else { return }
        let text = state.list.isFiltered ? "nothing matches" : "no pictures here"
        canvas.write(StyledText(text, .dim), centeredIn: area, area.row + area.rows / 3)
    }

    private func draw(_ row: Int, at line: Int, _ canvas: inout Canvas) {
        let index = state.list.index(at: row)
        let text = state.statusText(of: index)
        let isInRange = state.markedRange?.contains(row) == true
        if isInRange || state.list.marks.contains(index) { canvas.write(glyphs.marked, 2, line, width: 1, .accent) }
        if text.isWide {
            canvas.write(text.field(width: fieldWidth), 3, line, width: fieldWidth)
            drawName(index, from: 4 + fieldWidth, text, at: line, &canvas)
        } else {
            canvas.write(text.sign, 3, line, width: 1)
            drawName(index, from: 5, text, at: line, &canvas)
        }
        if isInRange { canvas.select(2, line, width: columns - 3) }
        if row == state.viewport.cursor { drawCursor(at: line, &canvas) }
    }

    private func drawName(_ index: Int, from start: Int, _ text: StatusText, at line: Int, _ canvas: inout Canvas) {
        let room = max(0, edge - start)
        let full = Units.bytesWidth + 2 + Units.rateWidth
        let name = state.list.items[index].name
        // Where there is next to no room, it is the name's.
        let least = room >= full + 12 ? max(full, room * 2 / 5) : room < 20 ? 0 : min(room / 2, Units.bytesWidth)
        let fact = text.fact(width: max(least, room - CellWidth.of(name) - 2))
        let width = max(0, room - fact.width - (fact.width > 0 ? 2 : 0))
        let shown = Fitting.middle(name, to: width, ellipsis: glyphs.ellipsis)
        canvas.write(shown, start, line, width: width)
        canvas.write(fact, endingAt: edge, line, width: room)
    }

    private func drawCursor(at line: Int, _ canvas: inout Canvas) {
        canvas.select(2, line, width: columns - 3)
        canvas.write(glyphs.selected, 1, line, width: 1, .accent)
    }
}
