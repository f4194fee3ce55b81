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
        case .confirm:
            let room = columns - 4 - HintLine.text(hints, room: columns).width
            let text = Fitting.end(question, to: max(0, room), ellipsis: glyphs.ellipsis)
            next = canvas.write(StyledText(text, Style(.warn, bold: true)), 1, row, width: columns - 2)
        case .filter: next = drawField("/", state.filter, &canvas)
        case .export: next = drawField("write to:", state.exportPath, &canvas)
        case .table, .help, .totals: next = canvas.write(place, 1, row, width: columns - 2)
        }
        let room = columns - 1 - next - 2
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

    private var question: String {
        if state.targets.isEmpty, let group = state.selectedGroup {
            return "delete all of \(group.value): \(CacheText.entries(group.entries)), \(Units.bytes(group.bytes))?"
        }
        let targets = state.targets
        let bytes = targets.values.reduce(0) { sum, bytes in
            let (total, overflow) = sum.addingReportingOverflow(max(0, bytes))
            return overflow ? .max : total
        }
        let only = targets.count == 1 ? targets.keys.first.flatMap(state.place(of:)).flatMap(state.row(at:)) : nil
        return "delete \(only?.name ?? CacheText.entries(targets.count)), \(Units.bytes(bytes))?"
    }

    private var place: StyledText {
        let total = Units.count(state.count)
        let number = state.count == 0 ? "0" : Units.count(state.viewport.cursor + 1)
        var text = StyledText(Fitting.pad(number, to: total.count, .trailing) + "/" + total)
        if !state.marks.isEmpty {
            text.append("  \(glyphs.marked) \(Units.count(state.marks.count)) marked", .accent)
        }
        if let group = state.openGroup { text.append("  in \(group.value.isEmpty ? "unknown" : group.value)", .accent) }
        if !state.filter.text.isEmpty { text.append("  / \(state.filter.text)", .accent) }
        if let totals = state.totals, columns >= 110, state.marks.isEmpty, state.filter.text.isEmpty,
            state.openGroup == nil
        {
            text.append("  \(CacheText.nextToGo(totals))", .dim)
        }
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
