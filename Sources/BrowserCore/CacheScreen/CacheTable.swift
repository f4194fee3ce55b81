import Raster

/// The table of entries with its column titles.
struct CacheTable {
    let state: CacheScreenState
    let layout: CacheScreenLayout

    private var glyphs: GlyphSet { state.glyphs }

    func draw(_ canvas: inout Canvas) {
        let slots = CacheColumn.slots(columns: layout.size.columns)
        if layout.headerRows > 1 { drawTitles(slots, &canvas) }
        let visible = state.viewport.visible(count: state.count, height: layout.table.rows)
        for place in visible { draw(place, at: layout.table.row + place - visible.lowerBound, slots, &canvas) }
    }

    private func drawTitles(_ slots: [CacheColumn.Slot], _ canvas: inout Canvas) {
        let room = max(0, layout.size.columns - 4)
        canvas.write(Fitting.truncate("state", to: min(5, room), ellipsis: glyphs.ellipsis), 3, 1, width: 5, .dim)
        for slot in slots {
            let isSorted = slot.column.order == state.order
            let arrow = isSorted ? (state.ascending ? glyphs.ascending : glyphs.descending) : ""
            write(slot.column.title + arrow, in: slot, 1, isSorted ? .accent : .dim, &canvas)
        }
    }

    private func draw(_ place: Int, at line: Int, _ slots: [CacheColumn.Slot], _ canvas: inout Canvas) {
        if let row = state.row(at: place) {
            draw(row, at: line, slots, &canvas)
        } else {
            canvas.write(glyphs.ellipsis, 3, line, width: 1, .dim)
        }
        guard place == state.viewport.cursor else { return }
        canvas.select(2, line, width: layout.size.columns - 3)
        canvas.write(glyphs.selected, 1, line, width: 1, .accent)
    }

    private func draw(_ row: CacheRow, at line: Int, _ slots: [CacheColumn.Slot], _ canvas: inout Canvas) {
        if state.marks[row.id] != nil { canvas.write(glyphs.marked, 2, line, width: 1, .accent) }
        canvas.write(CacheText.sign(row, glyphs), 3, line, width: 1)
        if row.isPinned { canvas.write(glyphs.pinned, 5, line, width: 1, .accent) }
        for slot in slots { write(text(slot.column, row), in: slot, line, style(slot.column, row), &canvas) }
    }

    private func write(
        _ text: String, in slot: CacheColumn.Slot, _ line: Int, _ style: Style, _ canvas: inout Canvas
    ) {
        let isPath = slot.column == .name || slot.column == .host
        let fitted =
            isPath
            ? Fitting.truncateMiddle(text, to: slot.width, ellipsis: glyphs.ellipsis)
            : Fitting.truncate(text, to: slot.width, ellipsis: glyphs.ellipsis)
        let padded = Fitting.pad(fitted, to: slot.width, slot.column.isNumber ? .trailing : .leading)
        canvas.write(padded, slot.start, line, width: slot.width, style)
    }

    private func text(_ column: CacheColumn, _ row: CacheRow) -> String {
        switch column {
        case .kind: row.kind
        case .host: row.host
        case .name: row.name
        case .size: Units.bytes(row.bytes)
        case .pixels: CacheText.pixels(row, glyphs)
        case .hits: Units.count(row.hits)
        case .used: Units.duration(seconds: row.secondsSinceUse)
        case .age: Units.duration(seconds: row.secondsSinceStore)
        case .expires: CacheText.expiry(row)
        case .processor: row.processor
        }
    }

    private func style(_ column: CacheColumn, _ row: CacheRow) -> Style {
        switch column {
        case .name: .plain
        case .expires where row.state == .damaged: .failure
        case .expires where row.state == .expired: .warning
        case .size: .plain
        default: .dim
        }
    }
}
