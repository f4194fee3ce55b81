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
        guard rect.rows > 2 else { return }
        let page = Page(of: entries.count, chosen: palette.chosen, in: rect)
        for place in page.places {
            draw(entries[place], in: page.cell(of: place), isChosen: place == page.chosen, &canvas)
        }
        drawRest(entries.count, page.places, &canvas)
        if entries.isEmpty {
            canvas.write("nothing found", rect.column + 3, rect.row + 2, width: rect.columns - 3, .dim)
        }
    }

    /// The entry at a place on the screen.
    func entry(at place: Position) -> Int? {
        let page = Page(of: palette.entries(state.options.keyMap).count, chosen: palette.chosen, in: rect)
        return rect.rows > 2 ? page.places.first { page.cell(of: $0).contains(place) } : nil
    }

    /// The entries that are on the screen, and where.
    private struct Page {
        let rect: Rect
        let chosen: Int
        let places: Range<Int>
        private let columns: Int
        private let rows: Int

        init(of count: Int, chosen: Int, in rect: Rect) {
            self.rect = rect
            self.chosen = min(chosen, max(0, count - 1))
            columns = rect.columns >= 2 * (HelpPanel.keyWidth + 20) ? 2 : 1
            rows = max(1, columns == 2 ? min(rect.rows - 2, (count + 1) / 2) : rect.rows - 2)
            let first = self.chosen / (rows * columns) * (rows * columns)
            places = first..<min(count, first + rows * columns)
        }

        func cell(of place: Int) -> Rect {
            let (column, row) = (place - places.lowerBound).quotientAndRemainder(dividingBy: rows)
            let width = rect.columns / columns
            return Rect(column: rect.column + column * width, row: rect.row + 2 + row, columns: width, rows: 1)
        }
    }

    /// Says that there is more than the page shows.
    private func drawRest(_ count: Int, _ shown: Range<Int>, _ canvas: inout Canvas) {
        guard count > shown.count else { return }
        let text = "\(shown.lowerBound + 1) to \(shown.upperBound) of \(count)"
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

    private func draw(_ entry: Palette.Entry, in place: Rect, isChosen: Bool, _ canvas: inout Canvas) {
        let (start, width) = (place.column + 3, place.columns)
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
