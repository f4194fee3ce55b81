import Raster

/// The table of groups: their common property, counts, size and share of the whole.
struct CacheGroupTable {
    let state: CacheScreenState
    let layout: CacheScreenLayout
    let grouping: CacheQuery.Grouping

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
        if place == state.viewport.cursor { canvas.drawCursor(1, line, width: columns - 2) }
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
