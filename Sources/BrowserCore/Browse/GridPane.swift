import Raster

/// Thumbnails with their names; the chosen one is framed.
struct GridPane {
    let state: BrowseState
    let layout: BrowseLayout

    private var glyphs: GlyphSet { state.glyphs }

    func draw(_ canvas: inout Canvas) {
        let range = state.gridRange
        for row in range { draw(row, number: row - range.lowerBound, &canvas) }
    }

    private func draw(_ row: Int, number: Int, _ canvas: inout Canvas) {
        let index = state.list.index(at: row)
        let cell = layout.grid.cell(number)
        let isChosen = row == state.viewport.cursor
        if isChosen { drawFrame(cell, &canvas) }
        drawPicture(index, layout.grid.picture(number), &canvas)
        guard cell.rows > 1 else { return }
        drawCaption(index, at: row, cell, isChosen: isChosen, &canvas)
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
        guard text.status.kind == .failed || text.isSetAside, row + 1 < rect.row + rect.rows else { return }
        canvas.write(text.fact(width: rect.columns), centeredIn: rect, row + 1)
    }

    /// Its foot is the caption's ground; at the sides the pictures of a row may be one, and there is no room for it.
    private func drawFrame(_ cell: Rect, _ canvas: inout Canvas) {
        let line = String(repeating: glyphs.horizontal, count: cell.columns)
        canvas.write(line, cell.column, cell.row, width: cell.columns, .accent)
    }

    private func drawCaption(
        _ index: Int, at row: Int, _ cell: Rect, isChosen: Bool, _ canvas: inout Canvas
    ) {
        let line = cell.row + cell.rows - 1
        let isInRange = state.markedRange?.contains(row) == true
        let isMarked = isInRange || state.list.marks.contains(index)
        let text = state.statusText(of: index)
        var caption = isMarked ? StyledText(glyphs.marked, .accent) : text.sign
        let width = max(0, cell.columns - 4 - caption.width)
        let name = Fitting.middle(state.list.items[index].name, to: width, ellipsis: glyphs.ellipsis)
        caption.append(StyledText(name), gap: 1)
        canvas.write(caption, cell.column + 1, line, width: cell.columns - 2)
        if isChosen || isInRange { canvas.select(cell.column, line, width: cell.columns) }
    }
}
