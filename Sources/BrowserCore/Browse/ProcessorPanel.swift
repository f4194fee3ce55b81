import Raster

/// The processor menu at the end of the list; the picture shows changes at once.
struct ProcessorPanel {
    let menu: ProcessorMenu
    let state: BrowseState
    let layout: BrowseLayout

    /// The width of the column of titles, including the gap behind it.
    private static let nameWidth = 17

    private var rect: Rect { layout.menu }

    func draw(_ canvas: inout Canvas) {
        guard rect.rows > 2 else { return }
        canvas.clear(Rect(column: rect.column - 1, row: rect.row, columns: rect.columns + 1, rows: rect.rows))
        canvas.rule(rect)
        var title = StyledText("Processors", .heading)
        let chain = menu.chain.isEmpty ? "none" : menu.chain
        let room = rect.columns - title.width - 2
        title.append(StyledText(Fitting.truncateMiddle(chain, to: room, ellipsis: state.glyphs.ellipsis), .dim), gap: 2)
        canvas.write(title, rect.column, rect.row + 1, width: rect.columns)
        for place in visible {
            draw(entries[place], isChosen: place == menu.chosen, at: rect.row + 2 + place - visible.lowerBound, &canvas)
        }
    }

    private var entries: [String] { menu.entries }

    private var visible: Range<Int> {
        let (count, height) = (entries.count, max(0, rect.rows - 2))
        let first = max(0, min(menu.chosen - height / 2, count - height))
        return first..<min(count, first + height)
    }

    /// Returns the entry at a position on the screen.
    func entry(at place: Position) -> Int? {
        let number = visible.lowerBound + place.row - rect.row - 2
        return rect.contains(place) && visible.contains(number) ? number : nil
    }

    private func draw(_ entry: String, isChosen: Bool, at row: Int, _ canvas: inout Canvas) {
        if let place = menu.links.firstIndex(of: entry) {
            canvas.write("\(place + 1)", rect.column + 1, row, width: 2, .accent)
        }
        let (start, width) = (rect.column + 4, rect.columns - 5)
        let title = ProcessorStep(entry).title
        let nameWidth = title == nil ? 0 : min(width, Self.nameWidth)
        if let title {
            canvas.write(
                Fitting.truncate(title, to: nameWidth, ellipsis: state.glyphs.ellipsis), start, row, width: width)
        }
        let rest = max(0, width - nameWidth)
        canvas.write(
            Fitting.truncateMiddle(entry, to: rest, ellipsis: state.glyphs.ellipsis), start + nameWidth, row,
            width: rest,
            title == nil ? .plain : .dim)
        if isChosen { canvas.drawCursor(rect.column, row, width: rect.columns - 1) }
    }
}
