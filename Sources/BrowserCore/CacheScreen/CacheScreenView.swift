import Raster

/// The inspection screen as a function of its state.
///
/// Complexity: O(cells).
public enum CacheScreenView {
    /// The whole screen at the size the state was last told.
    public static func frame(_ state: CacheScreenState) -> Frame {
        let layout = state.layout
        var canvas = Canvas(size: state.size, glyphs: state.glyphs)
        if layout.headerRows > 0 { drawTotals(state, &canvas) }
        switch state.focus {
        case .help: drawHelp(state, layout, &canvas)
        case .totals: if let totals = state.totals { CacheTotalsPanel(totals: totals, layout: layout).draw(&canvas) }
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
        guard state.count == 0, let window = state.window else { return }
        let text = window.query.filter.isEmpty ? "the cache is empty" : "nothing matches"
        canvas.write(StyledText(text, .dim), centeredIn: layout.table, layout.table.row + layout.table.rows / 3)
    }

    private static func drawTotals(_ state: CacheScreenState, _ canvas: inout Canvas) {
        let columns = state.size.columns
        var next = canvas.write("Cache", 1, 0, width: columns - 1, .heading)
        guard let totals = state.totals else { return }
        let disk = "   disk \(Units.bytes(totals.bytes)) of \(Units.limit(totals.limit)) "
        next = canvas.write(disk, next, 0, width: columns - next)
        let bar = ProgressBar.known(totals.bytes, of: totals.limit, width: 20, glyphs: state.glyphs)
        if columns >= 70 { next = canvas.write(bar, next, 0, width: 20, .bar) }
        let facts = self.facts(totals, room: columns - 1 - next - 2, glyphs: state.glyphs)
        canvas.write(facts, endingAt: columns - 1, 0, width: columns - 1 - next)
    }

    /// As many facts as fit, the first ones first.
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

    private static let help: [(keys: String, text: String)] = [
        ("j k", "down, up"), ("Home G", "first, last"), ("ctrl-d ctrl-u", "half a page"),
        ("ctrl-f ctrl-b", "a page"), ("s", "sort by the next column"), ("S", "turn the order around"),
        ("g", "group by host, type, kind, age"), ("Enter", "open the group, or show details"),
        ("Esc", "out of the group; clear the filter"), ("/", "filter"), ("Space", "mark"),
        ("u", "unmark all"), ("d", "delete what is marked or selected"), ("p", "pin it, or let go of it"),
        ("v", "check its content"), ("e", "write its bytes to a file"), ("o", "show in the browser"),
        ("i", "details and picture"), ("t", "hit rates and evictions"), ("r", "read the cache again"),
        ("ctrl-l", "redraw"), ("ctrl-z", "suspend"), ("q", "quit"),
    ]

    /// In two columns where one does not do; the first is as wide as its texts.
    private static func drawHelp(_ state: CacheScreenState, _ layout: CacheScreenLayout, _ canvas: inout Canvas) {
        let (rows, columns) = (max(1, layout.table.rows), layout.size.columns)
        let width = help.count > rows ? max(54, columns / 2) : columns
        for (offset, line) in help.enumerated().prefix(rows * 2) {
            let column = offset / rows * width
            guard column + 18 < columns else { return }
            canvas.write(line.keys, column + 3, layout.table.row + offset % rows, width: 14, .accent)
            let room = min(width, columns - column) - 19
            canvas.write(line.text, column + 18, layout.table.row + offset % rows, width: max(0, room))
        }
    }
}
