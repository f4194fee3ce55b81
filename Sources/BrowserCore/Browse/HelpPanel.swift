import Raster

/// The palette: a search line, then its entries; those that can do nothing now are dim.
struct HelpPanel {
    static let keyWidth = 10

    let palette: Palette
    let rect: Rect
    let state: BrowseState

    private var glyphs: GlyphSet { state.glyphs }

    func draw(_ canvas: inout Canvas) {
        guard !rect.isEmpty else { return }
        drawSearch(&canvas)
        let entries = palette.entries(state.options.keyMap)
        guard rect.rows > 2 else { return }
        let (pages, chosen) = (pages(entries), chosen(entries))
        for (line, place) in pages.lines {
            switch line {
            case .heading(let topic):
                canvas.write(topic.title, place.column + 3, place.row, width: place.columns, .heading)
            case .entry(let number): draw(entries[number], in: place, isChosen: number == chosen, &canvas)
            }
        }
        drawPage(pages, &canvas)
        if entries.isEmpty {
            canvas.write("nothing found", rect.column + 3, rect.row + 2, width: rect.columns - 3, .dim)
        }
    }

    /// The entry at a place on the screen.
    func entry(at place: Position) -> Int? {
        rect.rows > 2 ? pages(palette.entries(state.options.keyMap)).entry(at: place) : nil
    }

    /// The first entry of the page before or after; the first or the last one of all where there is no such page.
    func entry(turningBy step: Int) -> Int {
        let entries = palette.entries(state.options.keyMap)
        let pages = pages(entries)
        if pages.page + step < 0 { return 0 }
        return pages.firstEntry(ofPage: pages.page + step) ?? max(0, entries.count - 1)
    }

    private func chosen(_ entries: [Palette.Entry]) -> Int { min(palette.chosen, max(0, entries.count - 1)) }

    /// What a search finds stands in one list without headings.
    private func pages(_ entries: [Palette.Entry]) -> HelpPages {
        let isSearch = !palette.search.text.isEmpty
        return HelpPages(of: entries.map { isSearch ? nil : $0.topic }, chosen: chosen(entries), in: rect)
    }

    /// Says that there is more than the page shows.
    private func drawPage(_ pages: HelpPages, _ canvas: inout Canvas) {
        guard pages.pageCount > 1 else { return }
        let text = "page \(pages.page + 1) of \(pages.pageCount)"
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
        let search = Fitting.suffix(palette.search.text, to: room)
        let next = canvas.write(search, start, rect.row, width: room, .accent)
        canvas.showCursor(next, rect.row)
        let hint = "type to search by name or key, \(glyphs.enter) runs it"
        guard next + 3 + CellWidth.of(hint) < rect.column + rect.columns else { return }
        canvas.write(
            StyledText(hint, .dim), endingAt: rect.column + rect.columns - 1, rect.row, width: rect.columns - 1)
    }

    private func draw(_ entry: Palette.Entry, in place: Rect, isChosen: Bool, _ canvas: inout Canvas) {
        let (start, width) = (place.column + 3, place.columns)
        let canRun = state.canPerform(entry)
        canvas.write(keys(of: entry), start, place.row, width: HelpPanel.keyWidth, canRun ? .accent : .dim)
        let titleStart = start + HelpPanel.keyWidth
        let room = width - 4 - HelpPanel.keyWidth
        canvas.write(
            Fitting.truncate(entry.title, to: room, ellipsis: glyphs.ellipsis), titleStart, place.row, width: room,
            canRun ? .plain : .dim)
        guard isChosen else { return }
        canvas.select(place.column + 2, place.row, width: width - 3)
        canvas.write(glyphs.selected, place.column + 1, place.row, width: 1, .accent)
    }
}
