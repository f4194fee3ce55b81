import AlcedoScreen
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
        // All that is loaded, so that names stay while the table scrolls.
        let names = CacheNames(
            of: state.window?.entries ?? [], showsHosts: slots.contains { $0.column == .host })
        for place in visible { draw(place, at: layout.table.row + place - visible.lowerBound, slots, names, &canvas) }
    }

    private func drawTitles(_ slots: [CacheColumn.Slot], _ canvas: inout Canvas) {
        for slot in slots {
            let isSorted = slot.column.traits.order == state.order
            let arrow = isSorted ? (state.ascending ? glyphs.ascending : glyphs.descending) : ""
            write(
                slot.column.traits.title + (arrow.isEmpty ? "" : " \(arrow)"), in: slot, 1, isSorted ? .accent : .dim,
                &canvas)
        }
    }

    private func draw(
        _ place: Int, at line: Int, _ slots: [CacheColumn.Slot], _ names: CacheNames, _ canvas: inout Canvas
    ) {
        if let row = state.row(at: place) {
            draw(row, at: line, slots, names, &canvas)
        } else {
            canvas.write(glyphs.ellipsis, 3, line, width: 1, .dim)
        }
        if place == state.viewport.cursor {
            canvas.drawCursor(0, line, width: layout.size.columns - 1)
        } else if let row = state.row(at: place), state.marks[row.id] != nil {
            canvas.tint(1, line, width: layout.size.columns - 2)
        }
    }

    private func draw(
        _ row: CacheRow, at line: Int, _ slots: [CacheColumn.Slot], _ names: CacheNames, _ canvas: inout Canvas
    ) {
        let mark = state.marks[row.id] != nil ? glyphs.marked : row.isPinned ? glyphs.pinned : ""
        canvas.write(mark, 1, line, width: 1, .accent)
        canvas.write(CacheText.sign(row, glyphs), 3, line, width: 1)
        for slot in slots {
            if slot.column == .name {
                let name = names.text(of: row).text(width: slot.width, ellipsis: glyphs.ellipsis)
                canvas.write(name, slot.start, line, width: slot.width)
            } else {
                write(text(slot.column, row), in: slot, line, style(slot.column, row), &canvas)
            }
        }
    }

    private func write(
        _ text: String, in slot: CacheColumn.Slot, _ line: Int, _ style: Style, _ canvas: inout Canvas
    ) {
        let fitted =
            slot.column == .host
            ? Fitting.truncateMiddle(text, to: slot.width, ellipsis: glyphs.ellipsis)
            : Fitting.truncate(text, to: slot.width, ellipsis: glyphs.ellipsis)
        let padded = Fitting.pad(fitted, to: slot.width, slot.column.traits.isNumber ? .trailing : .leading)
        canvas.write(padded, slot.start, line, width: slot.width, style)
    }

    private func text(_ column: CacheColumn, _ row: CacheRow) -> String {
        switch column {
        case .kind: row.kind
        case .host: row.host
        case .name: ""
        case .size: Units.bytes(row.bytes)
        case .pixels: CacheText.pixels(row, glyphs)
        case .hits: Units.count(row.hits)
        case .used: Units.duration(seconds: row.secondsSinceUse)
        case .expires: CacheText.expiry(row)
        case .processor: row.processor
        }
    }

    private func style(_ column: CacheColumn, _ row: CacheRow) -> Style {
        switch column {
        case .expires where row.state == .damaged: .failure
        case .expires where row.state == .expired: .warning
        case .size: .plain
        default: .dim
        }
    }
}

/// A column of the table of entries.
enum CacheColumn: CaseIterable {
    case name, host, kind, size, pixels, hits, used, expires, processor

    /// The position of a column.
    struct Slot: Equatable {
        let column: CacheColumn
        let start: Int
        let width: Int
    }

    /// The start of the first column after the signs, and the gap between columns.
    static let firstColumn = 5
    static let gap = 2

    /// The properties of a column.
    ///
    /// The width is a minimum: the name gets spare cells up to a bound, then the processor. Numbers are right-aligned;
    /// the order is the one that sorts by this column.
    var traits: (title: String, width: Int, isNumber: Bool, order: CacheOrder?) {
        switch self {
        case .kind: ("kind", 9, false, nil)
        case .host: ("host", 18, false, .host)
        case .name: ("name", 18, false, nil)
        case .size: ("size", Units.bytesWidth, true, .size)
        case .pixels: ("pixels", 11, true, .pixels)
        case .hits: ("hits", 5, true, .hits)
        case .used: ("used", 6, true, .access)
        case .expires: ("expires", 9, false, .expiry)
        case .processor: ("processor", 12, false, nil)
        }
    }

    /// Returns the columns that fit into a screen; drops the least important ones first.
    static func slots(columns: Int) -> [Slot] {
        let droppable: [CacheColumn] = [.processor, .host, .pixels, .kind, .hits, .expires, .used, .size]
        var kept = allCases
        for column in droppable where total(kept) > columns - firstColumn - 1 { kept.removeAll { $0 == column } }
        return place(kept, spare: max(0, columns - firstColumn - 1 - total(kept)), columns: columns)
    }

    private static func place(_ kept: [CacheColumn], spare: Int, columns: Int) -> [Slot] {
        let toName = kept.contains(.processor) ? min(60, spare / 2) : spare
        var start = firstColumn
        return kept.map { column in
            let extra = column == .name ? toName : (column == .processor ? spare - toName : 0)
            defer { start += column.traits.width + extra + gap }
            return Slot(
                column: column, start: start, width: min(column.traits.width + extra, max(0, columns - start - 1)))
        }
    }

    private static func total(_ kept: [CacheColumn]) -> Int {
        kept.reduce(0) { $0 + $1.traits.width } + gap * max(0, kept.count - 1)
    }
}

/// The table of groups: their common property, counts, size and share of the whole.
struct CacheGroupTable {
    let state: CacheScreenState
    let layout: CacheScreenLayout
    let grouping: CacheGrouping

    private var columns: Int { layout.size.columns }
    private var glyphs: GlyphSet { state.glyphs }
    /// The widths of the columns at the right; narrow screens drop the share, then the hits, then the size.
    private var barWidth: Int { columns >= 70 ? min(24, columns / 5) : 0 }
    private var hitsWidth: Int { columns >= 50 ? 9 : 0 }
    private var sizeWidth: Int { columns >= 34 ? 9 : 0 }
    private var nameWidth: Int { max(0, columns - 4 - 10 - sizeWidth - barWidth - hitsWidth - 2) }

    func draw(_ canvas: inout Canvas) {
        if layout.headerRows > 1 {
            write((grouping.rawValue, "entries", "size", "hits"), at: 1, .dim, share: nil, &canvas)
        }
        let visible = state.viewport.visible(count: state.count, height: layout.table.rows)
        for place in visible { draw(place, at: layout.table.row + place - visible.lowerBound, &canvas) }
    }

    private func draw(_ place: Int, at line: Int, _ canvas: inout Canvas) {
        guard let group = state.group(at: place) else { return }
        let name = CacheText.name(of: group, by: grouping)
        let texts = (name, Units.count(group.entries), Units.bytes(group.bytes), Units.count(group.hits))
        write(texts, at: line, .plain, share: group.bytes, &canvas)
        if place == state.viewport.cursor { canvas.drawCursor(0, line, width: columns - 1) }
    }

    private func write(
        _ texts: (name: String, entries: String, size: String, hits: String), at line: Int, _ style: Style,
        share: Int?, _ canvas: inout Canvas
    ) {
        canvas.write(texts.name, 3, line, width: nameWidth, style, cut: .middle)
        var column = 3 + nameWidth
        canvas.write(Fitting.pad(texts.entries, to: 9, .trailing), column, line, width: 9, .dim)
        column += 10
        if sizeWidth > 0 {
            canvas.write(Fitting.pad(texts.size, to: 8, .trailing), column, line, width: 8, style)
        }
        column += sizeWidth
        if barWidth > 2, let share, let total = state.totals?.bytes, total > 0 {
            let bar = ProgressBar.thin(min(share, total), of: total, at: 0, width: barWidth - 2, glyphs: glyphs)
            canvas.write(bar, column, line, width: barWidth - 2)
        }
        column += barWidth
        if hitsWidth > 0 {
            canvas.write(Fitting.pad(texts.hits, to: 8, .trailing), column, line, width: 8, .dim)
        }
    }
}
