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
        if state.focus == .help {
            drawHelp(state.glyphs, layout, &canvas)
        } else {
            CacheTable(state: state, layout: layout).draw(&canvas)
            CacheDetails(state: state, rect: layout.details).draw(&canvas)
        }
        if let row = layout.ruleRow { canvas.rule(row: row) }
        if let row = layout.statusRow { CacheStatusBar(state: state, row: row).draw(&canvas) }
        return canvas.frame
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
        let share = Units.percent(totals.hits, of: totals.lookups)
        let saved = "saved \(Units.bytes(totals.bytesSaved))"
        var line = ""
        for fact in [CacheText.entries(totals.entries), "hits \(share)", saved] {
            let longer = line.isEmpty ? fact : "\(line) \(glyphs.dot) \(fact)"
            guard CellWidth.of(longer) <= room else { break }
            line = longer
        }
        return StyledText(line, .dim)
    }

    private static let help = [
        ("j k", "down, up"), ("g G", "first, last"), ("ctrl-d ctrl-u", "half a page"), ("ctrl-f ctrl-b", "a page"),
        ("s", "sort by the next column"), ("S", "turn the order around"), ("/", "filter"), ("Esc", "clear the filter"),
        ("Space", "mark"), ("u", "unmark all"), ("d", "delete what is marked or selected"), ("i", "details"),
        ("r", "read the cache again"), ("ctrl-l", "redraw"), ("ctrl-z", "suspend"), ("q", "quit"),
    ]

    private static func drawHelp(_ glyphs: GlyphSet, _ layout: CacheScreenLayout, _ canvas: inout Canvas) {
        let first = layout.table.row
        for (offset, line) in help.enumerated().prefix(layout.table.rows) {
            canvas.write(line.0, 3, first + offset, width: 14, .accent)
            canvas.write(line.1, 18, first + offset, width: layout.size.columns - 19)
        }
    }
}

/// The last line: the place in the table, what is marked, or a question; then the keys.
struct CacheStatusBar {
    let state: CacheScreenState
    let row: Int

    private var columns: Int { state.size.columns }
    private var glyphs: GlyphSet { state.glyphs }

    func draw(_ canvas: inout Canvas) {
        let next: Int
        switch state.focus {
        case .confirm: next = canvas.write(question, 1, row, width: columns - 2)
        case .filter: next = drawFilter(&canvas)
        case .table, .help: next = canvas.write(place, 1, row, width: columns - 2)
        }
        let room = columns - 1 - next - 2
        let notice = state.notice.map {
            StyledText(Fitting.end($0.text, to: room, ellipsis: glyphs.ellipsis), .accent)
        }
        canvas.write(notice ?? HintLine.text(hints, room: room), endingAt: columns - 1, row, width: room)
    }

    private func drawFilter(_ canvas: inout Canvas) -> Int {
        let start = canvas.write("/", 1, row, width: 1, .heading) + 1
        let room = max(0, columns - start - 2)
        let next = canvas.write(Fitting.last(state.filter.text, to: room), start, row, width: room, .accent)
        canvas.showCursor(next, row)
        return next
    }

    private var question: StyledText {
        let targets = state.targets
        let bytes = targets.values.reduce(0) { sum, bytes in
            let (total, overflow) = sum.addingReportingOverflow(max(0, bytes))
            return overflow ? .max : total
        }
        return StyledText(
            "delete \(CacheText.entries(targets.count)), \(Units.bytes(bytes))?", Style(.warn, bold: true))
    }

    private var place: StyledText {
        let total = Units.count(state.count)
        let number = state.count == 0 ? "0" : Units.count(state.viewport.cursor + 1)
        var text = StyledText(Fitting.pad(number, to: total.count, .trailing) + "/" + total)
        if !state.marks.isEmpty {
            text.append("  \(glyphs.marked) \(Units.count(state.marks.count)) marked", .accent)
        }
        if !state.filter.text.isEmpty { text.append("  / \(state.filter.text)", .accent) }
        return text
    }

    private var hints: [StyledText] {
        switch state.focus {
        case .confirm: [("y", "delete"), ("n", "keep")].map(HintLine.hint)
        case .filter: [(glyphs.enter, "keep"), ("Esc", "clear")].map(HintLine.hint)
        case .help: [("Esc", "close")].map(HintLine.hint)
        case .table:
            [
                ("s", "sort"), ("/", "filter"), (glyphs.space, "mark"), ("d", "delete"), ("i", "details"),
                ("?", "help"),
            ].map(HintLine.hint)
        }
    }
}
