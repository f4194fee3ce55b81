import Raster

/// The last line: the place in the table, what is marked, what goes next, or a question; then the keys.
struct CacheStatusBar {
    let state: CacheScreenState
    let row: Int

    private var columns: Int { state.size.columns }
    private var glyphs: GlyphSet { state.glyphs }

    func draw(_ canvas: inout Canvas) {
        let next: Int
        switch state.focus {
        case .confirm(let deletion):
            let room = columns - 4 - HintLine.text(hints, room: columns).width
            let text = Fitting.end(deletion.question, to: max(0, room), ellipsis: glyphs.ellipsis)
            next = canvas.write(StyledText(text, Style(.warn, bold: true)), 1, row, width: columns - 2)
        case .filter: next = drawField("/", state.filter, &canvas)
        case .export: next = drawField("write to:", state.exportPath, &canvas)
        case .table, .help, .totals: next = canvas.write(place, 1, row, width: columns - 2)
        }
        let room = columns - 1 - next - 2
        if let problem = state.problem, state.focus == .table || state.focus == .filter {
            let text = StyledText(Fitting.end(problem, to: room, ellipsis: glyphs.ellipsis), .failure)
            canvas.write(text, endingAt: columns - 1, row, width: room)
            return
        }
        let notice = state.notice.map {
            StyledText(Fitting.end($0.text, to: room, ellipsis: glyphs.ellipsis), .accent)
        }
        canvas.write(notice ?? HintLine.text(hints, room: room), endingAt: columns - 1, row, width: room)
    }

    private func drawField(_ label: String, _ field: TextField, _ canvas: inout Canvas) -> Int {
        let start = canvas.write(label, 1, row, width: columns - 2, .heading) + 1
        let room = max(0, columns - start - 2)
        let next = canvas.write(Fitting.last(field.text, to: room), start, row, width: room, .accent)
        canvas.showCursor(next, row)
        return next
    }

    private var place: StyledText {
        let total = Units.count(state.count)
        let number = state.count == 0 ? "0" : Units.count(state.viewport.cursor + 1)
        var text = StyledText(Fitting.pad(number, to: total.count, .trailing) + "/" + total)
        if !state.marks.isEmpty {
            text.append("  \(glyphs.marked) \(Units.count(state.marks.count)) marked", .accent)
        }
        if let group = state.openGroup { text.append("  in \(CacheText.name(of: group, by: state.grouping))", .accent) }
        if !state.filter.text.isEmpty { text.append("  / \(state.filter.text)", .accent) }
        guard let totals = state.totals else { return text }
        // The keys matter more.
        let next = StyledText(CacheText.nextToGo(totals), .dim)
        let room = columns - 4 - text.width - HintLine.text(hints, room: .max).width
        if next.width + 2 <= room { text.append(next, gap: 2) }
        return text
    }

    private var hints: [StyledText] {
        switch state.focus {
        case .confirm: [("y", "delete"), ("n", "keep")].map(HintLine.hint)
        case .filter: [(glyphs.enter, "keep"), ("Esc", "clear")].map(HintLine.hint)
        case .export: [(glyphs.enter, "write"), ("Esc", "leave")].map(HintLine.hint)
        case .help where CacheHelp(state: state).pages > 1: [("j k", "pages"), ("Esc", "close")].map(HintLine.hint)
        case .help, .totals: [("Esc", "close")].map(HintLine.hint)
        case .table where state.listsGroups:
            [("/", "filter"), ("d", "delete"), ("g", "group"), (glyphs.enter, "open"), ("q", "back"), ("?", "help")]
                .map(HintLine.hint)
        case .table:
            [
                ("s", "sort"), ("g", "group"), ("/", "filter"), (glyphs.space, "mark"), ("d", "delete"), ("p", "pin"),
                ("v", "verify"), ("e", "export"), ("i", "details"), ("q", "back"), ("?", "help"),
            ].map(HintLine.hint)
        }
    }
}
