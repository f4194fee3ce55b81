import Raster

/// The view of the cache screen.
///
/// Complexity: O(cells).
package enum CacheScreenView {
    /// Returns the whole screen in the state's size.
    package static func frame(_ state: CacheScreenState) -> Frame {
        let layout = state.layout
        var canvas = Canvas(size: state.size, glyphs: state.glyphs)
        if layout.headerRows > 0 { drawTotals(state, &canvas) }
        switch state.focus {
        case .help(let page): CacheHelp(state: state).draw(page, &canvas)
        case .totals(let top): state.totalsPanel?.draw(from: top, &canvas)
        case .table, .filter, .confirm, .export: drawTable(state, layout, &canvas)
        }
        if let row = layout.ruleRow { canvas.rule(row: row) }
        if let row = layout.statusRow { CacheStatusBar(state: state, row: row).draw(&canvas) }
        return canvas.frame
    }

    private static func drawTable(
        _ state: CacheScreenState, _ layout: CacheScreenLayout, _ canvas: inout Canvas
    ) {
        if state.listsGroups, let grouping = state.grouping {
            CacheGroupTable(state: state, layout: layout, grouping: grouping).draw(&canvas)
        } else {
            CacheTable(state: state, layout: layout).draw(&canvas)
            CacheDetails(state: state, layout: layout).draw(&canvas)
        }
        guard state.count == 0, state.problem == nil, let window = state.window else { return }
        let text = window.query.filter.isEmpty ? "the cache is empty" : "nothing matches"
        canvas.write(StyledText(text, .dim), centeredIn: layout.table, layout.table.row + layout.table.rows / 3)
    }

    private static func drawTotals(_ state: CacheScreenState, _ canvas: inout Canvas) {
        let columns = state.size.columns
        var next = canvas.write("Cache", 1, 0, width: columns - 1, .heading)
        guard let totals = state.totals else { return }
        let disk = StyledText("   disk \(Units.bytes(totals.space)) of \(Units.limit(totals.limit))")
        next = canvas.write(disk.truncated(to: columns - 1 - next, state.glyphs), next, 0, width: columns - next) + 1
        let filled = totals.limit > 0 ? totals.space : 0
        let bar = ProgressBar.thin(filled, of: max(1, totals.limit), at: 0, width: 20, glyphs: state.glyphs)
        if columns >= 70 { next = canvas.write(bar, next, 0, width: 20) }
        let facts = self.facts(totals, room: columns - 1 - next - 2, glyphs: state.glyphs)
        canvas.write(facts, endingAt: columns - 1, 0, width: columns - 1 - next)
    }

    /// Returns as many of the first facts as fit.
    private static func facts(_ totals: CacheTotals, room: Int, glyphs: GlyphSet) -> StyledText {
        let memory = totals.memoryBytes.map { "memory \(Units.bytes($0))" }
        let facts = [
            CacheText.entries(totals.entries), memory, CacheText.hitRates(totals),
            "saved \(Units.bytes(totals.life.bytesSaved))",
        ]
        var line = ""
        for fact in facts.compactMap(\.self) {
            let longer = line.isEmpty ? fact : "\(line) \(glyphs.dot) \(fact)"
            guard CellWidth.of(longer) <= room else { break }
            line = longer
        }
        return StyledText(line, .dim)
    }
}
