import Raster

/// The palette: a search line, then its entries in one column or two.
struct HelpPanel {
    static let keyWidth = 11

    let palette: Palette
    let rect: Rect
    let state: BrowseState

    private var glyphs: GlyphSet { state.glyphs }

    /// How far a page goes.
    static func page(_ state: BrowseState) -> Int { max(1, state.layout.bodyRows - 2) }

    func draw(_ canvas: inout Canvas) {
        guard !rect.isEmpty else { return }
        drawSearch(&canvas)
        let entries = palette.entries(state.options.keyMap)
        let height = max(0, rect.rows - 2)
        guard height > 0 else { return }
        let pages = rect.columns >= 2 * (HelpPanel.keyWidth + 20) ? 2 : 1
        let chosen = min(palette.chosen, max(0, entries.count - 1))
        let perColumn = pages == 2 ? min(height, (entries.count + 1) / 2) : height
        let capacity = max(1, perColumn * pages)
        let first = chosen / capacity * capacity
        for (place, entry) in entries.dropFirst(first).prefix(capacity).enumerated() {
            let cell = Position(
                column: rect.column + place / perColumn * (rect.columns / pages),
                row: rect.row + 2 + place % perColumn)
            draw(entry, at: cell, width: rect.columns / pages, isChosen: first + place == chosen, &canvas)
        }
        drawRest(entries.count, first, capacity, &canvas)
        if entries.isEmpty {
            canvas.write("nothing found", rect.column + 3, rect.row + 2, width: rect.columns - 3, .dim)
        }
    }

    /// Says that there is more than the page shows.
    private func drawRest(_ count: Int, _ first: Int, _ capacity: Int, _ canvas: inout Canvas) {
        guard count > capacity else { return }
        let text = "\(first + 1) to \(min(count, first + capacity)) of \(count)"
        canvas.write(
            StyledText(text, .dim), endingAt: rect.column + rect.columns - 1, rect.row + 1, width: rect.columns - 1)
    }

    /// As many of its keys as there is room for.
    private func keys(of entry: Palette.Entry) -> String {
        entry.signs(state.options.keyMap, glyphs).reduce(into: "") { text, sign in
            let longer = text.isEmpty ? sign : "\(text) \(sign)"
            if CellWidth.of(longer) < HelpPanel.keyWidth { text = longer }
        }
    }

    private func drawSearch(_ canvas: inout Canvas) {
        let start = canvas.write("?", rect.column + 1, rect.row, width: 1, .heading) + 1
        let room = max(0, rect.columns - 5)
        let search = Fitting.last(palette.search.text, to: room)
        let next = canvas.write(search, start, rect.row, width: room, .accent)
        canvas.showCursor(next, rect.row)
        let hint = "type to search by name or key, \(glyphs.enter) runs it"
        guard next + 3 + CellWidth.of(hint) < rect.column + rect.columns else { return }
        canvas.write(
            StyledText(hint, .dim), endingAt: rect.column + rect.columns - 1, rect.row, width: rect.columns - 1)
    }

    private func draw(
        _ entry: Palette.Entry, at place: Position, width: Int, isChosen: Bool, _ canvas: inout Canvas
    ) {
        let start = place.column + 3
        canvas.write(keys(of: entry), start, place.row, width: HelpPanel.keyWidth, .accent)
        let titleStart = start + HelpPanel.keyWidth
        let room = width - 4 - HelpPanel.keyWidth
        canvas.write(
            Fitting.end(entry.title, to: room, ellipsis: glyphs.ellipsis), titleStart, place.row, width: room)
        guard isChosen else { return }
        canvas.select(place.column + 2, place.row, width: width - 3)
        canvas.write(glyphs.selected, place.column + 1, place.row, width: 1, .accent)
    }
}
