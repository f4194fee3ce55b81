import Raster

/// Thumbnails with names, marks and animation signs; the selected one has a frame.
struct GridPane {
    let state: BrowseState
    let layout: BrowseLayout

    private var glyphs: GlyphSet { state.glyphs }

    func draw(_ canvas: inout Canvas) {
        let (range, matcher) = (state.gridRange, state.list.filter.matcher())
        for row in range { draw(row, number: row - range.lowerBound, matcher, &canvas) }
    }

    private func draw(_ row: Int, number: Int, _ matcher: ListFilter.Matcher, _ canvas: inout Canvas) {
        let index = state.list.index(at: row)
        let cell = layout.grid.cell(number)
        let isChosen = row == state.viewport.cursor
        drawPicture(index, layout.grid.picture(number), &canvas)
        if cell.rows > 1 { drawCaption(index, at: row, cell, matcher, &canvas) }
        if isChosen { drawFrame(cell, &canvas) }
    }

    private func drawPicture(_ index: Int, _ rect: Rect, _ canvas: inout Canvas) {
        guard !rect.isEmpty else { return }
        if let facts = state.thumbnails.picture(of: index) {
            let covered = rect.centered(state.cell.cells(covering: facts.size))
            return canvas.place(PicturePlacement(rect: covered, picture: facts.picture))
        }
        let text = state.statusText(of: index)
        let line = text.isWide ? text.field(width: min(14, rect.columns)) : text.sign
        let row = rect.row + rect.rows / 2
        canvas.write(line, centeredIn: rect, row)
        guard text.status.kind == .failed || text.isSkipped, row + 1 < rect.row + rect.rows else { return }
        canvas.write(text.fact(width: rect.columns), centeredIn: rect, row + 1)
    }

    /// Draws a line with corners above the cell, and the lower corners beside the caption.
    ///
    /// There are no lines at the sides, because the pictures of a row may be merged into one.
    private func drawFrame(_ cell: Rect, _ canvas: inout Canvas) {
        guard cell.columns > 1 else { return }
        let (line, bottom) = (String(repeating: glyphs.horizontal, count: cell.columns - 2), cell.row + cell.rows - 1)
        let last = cell.column + cell.columns - 1
        canvas.write(glyphs.corners[0] + line + glyphs.corners[1], cell.column, cell.row, width: cell.columns, .accent)
        guard bottom > cell.row else { return }
        canvas.select(cell.column + 1, bottom, width: cell.columns - 2)
        canvas.write(glyphs.corners[2], cell.column, bottom, width: 1, .accent)
        canvas.write(glyphs.corners[3], last, bottom, width: 1, .accent)
    }

    /// Returns the dimensions, the bytes and the distance of a picture of a group, as far as they fit.
    private func facts(_ index: Int, _ groups: DuplicateGroups, in width: Int) -> String {
        let size = state.list.facts[index].size.map { "\($0.width)\(glyphs.times)\($0.height)" }
        let bytes = state.statuses.bytes(of: index).map { Units.bytes($0) }
        let distance = groups.distance(of: index).map { "\($0) bits" }
        return [size, distance, bytes].compactMap { $0 }.reduce("") { line, fact in
            let longer = line.isEmpty ? fact : "\(line) \(fact)"
            return longer.count <= width ? longer : line
        }
    }

    /// Draws the mark, the status, the name, and a sign at the right for an animation.
    private func drawCaption(
        _ index: Int, at row: Int, _ cell: Rect, _ matcher: ListFilter.Matcher, _ canvas: inout Canvas
    ) {
        let line = cell.row + cell.rows - 1
        let (start, end) = (cell.column + 1, cell.column + cell.columns - 2)
        let isInRange = state.markedRange?.contains(row) == true
        if isInRange || state.list.marks.contains(index) {
            canvas.write(glyphs.marked, start, line, width: end - start, .accent)
        }
        canvas.write(state.statusText(of: index).sign, start + 2, line, width: end - start - 2)
        let isMoving = state.list.facts[index].isMoving
        if isMoving { canvas.write(StyledText(glyphs.moving, .accent), endingAt: end, line, width: end - start - 4) }
        let width = max(0, end - start - 4 - (isMoving ? 2 : 0))
        let lead = state.duplicates.map {
            canvas.write(facts(index, $0, in: width * 2 / 3), start + 4, line, width: width, .dim) + 1
        }
        let room = max(0, start + 4 + width - (lead ?? start + 4))
        let name = NameText(of: index, in: state.list.items, state.names).text(
            width: room, ellipsis: glyphs.ellipsis, matching: matcher)
        canvas.write(name, lead ?? start + 4, line, width: room)
        if isInRange { canvas.select(cell.column, line, width: cell.columns) }
    }
}
