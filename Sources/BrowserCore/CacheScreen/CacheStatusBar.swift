import Raster

/// The last line: the cursor's place, marks and filter, or a question; then key hints.
struct CacheStatusBar {
    let state: CacheScreenState
    let row: Int

    private var columns: Int { state.size.columns }
    private var glyphs: GlyphSet { state.glyphs }

    func draw(_ canvas: inout Canvas) {
        let room = columns - 1 - drawLeft(&canvas) - 2
        canvas.write(message(room: room) ?? HintLine(hints, room: room).text, endingAt: columns - 1, row, width: room)
    }

    /// Returns the key of the hint at a column; nil if there is none.
    func key(at column: Int) -> Key? {
        var canvas = Canvas(size: state.size, glyphs: glyphs)
        let room = columns - 1 - drawLeft(&canvas) - 2
        guard message(room: room) == nil else { return nil }
        let line = HintLine(hints, room: room)
        return line.key(at: column - (columns - 1 - line.width))
    }

    /// Draws the left part.
    ///
    /// - Returns: the column after it.
    private func drawLeft(_ canvas: inout Canvas) -> Int {
        switch state.focus {
        case .confirm(let deletion):
            let room = columns - 4 - HintLine(hints, room: columns).width
            let text = deletion.question(width: max(0, room), ellipsis: glyphs.ellipsis)
            return canvas.write(StyledText(text, Style(.warn, bold: true)), 1, row, width: columns - 2)
        case .filter: return drawField("/", state.filter, &canvas)
        case .export: return drawField("write to:", state.exportPath, &canvas)
        case .table, .help, .totals:
            return canvas.write(place.truncated(to: columns - 2, glyphs), 1, row, width: columns - 2)
        }
    }

    /// The message that replaces the hints: a failed query or a notice.
    private func message(room: Int) -> StyledText? {
        if let problem = state.problem, state.focus == .table || state.focus == .filter {
            return StyledText(problem, .failure).truncated(to: room, glyphs)
        }
        return state.notice.map { StyledText($0.text, $0.style).truncated(to: room, glyphs) }
    }

    private func drawField(_ label: String, _ field: TextField, _ canvas: inout Canvas) -> Int {
        let start = canvas.write(label, 1, row, width: columns - 2, .heading) + 1
        let room = max(0, columns - start - 2)
        let next = canvas.write(Fitting.suffix(field.text, to: room), start, row, width: room, .accent)
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
        // Hints have priority.
        let next = StyledText(CacheText.nextToGo(totals), .dim)
        let room = columns - 4 - text.width - HintLine(hints).width
        if next.width + 2 <= room { text.append(next, gap: 2) }
        return text
    }

    private var hints: [HintLine.Hint] {
        switch state.focus {
        case .confirm(let deletion): confirmationHints(deletion)
        case .filter: [hint(.enter, "keep"), hint(.escape, "clear")]
        case .export: [hint(.enter, "write"), hint(.escape, "leave")]
        case .help where CacheHelp(state: state).pages > 1: [scrolling("pages"), hint(.escape, "close")]
        case .totals where state.totalsPanel.map { $0.lastTop > 0 } == true:
            [scrolling("more"), hint(.escape, "close")]
        case .help, .totals: [hint(.escape, "close")]
        case .table where state.listsGroups:
            [hint("g", "group"), hint("d", "delete"), hint("/", "filter"), hint(.enter, "open")] + [help, exitHint]
        case .table:
            [
                hint("v", "verify"), hint("p", "pin"), hint("e", "export"), hint("g", "group"), hint("s", "sort"),
                hint(" ", "mark"), hint("d", "delete"), hint("/", "filter"), hint(.enter, "details"),
            ] + [help, exitHint]
        }
    }

    /// The hints of a question, without words if the question needs the room.
    private func confirmationHints(_ deletion: CacheDeletion) -> [HintLine.Hint] {
        let whole = [hint("y", "delete"), hint("n", "keep")]
        guard deletion.minimumWidth + HintLine(whole).width > columns - 4 else { return whole }
        return [hint("y", ""), hint("n", "")]
    }

    private var exitHint: HintLine.Hint { hint("q", state.isStandalone ? "quit" : "back") }
    private var help: HintLine.Hint { hint("?", "help") }

    private func hint(_ character: Character, _ title: String) -> HintLine.Hint { hint(.character(character), title) }

    private func hint(_ key: Key, _ title: String) -> HintLine.Hint { HintLine.Hint(key, title, glyphs) }
    private func scrolling(_ title: String) -> HintLine.Hint { HintLine.Hint("j k", title, key: .down) }
}
