import AlcedoScreen
import Raster

/// The view of the cache screen.
///
/// Complexity: O(cells).
extension CacheScreenState {
    /// Returns the whole screen in the state's size.
    package var frame: Frame {
        let layout = layout
        var canvas = Canvas(size: size, glyphs: glyphs)
        if case .help = focus {} else if layout.headerRows > 0 { drawTotals(&canvas) }
        switch focus {
        case .help(let cursor): helpPanel(cursor).draw(&canvas)
        case .totals(let top): totalsPanel?.draw(from: top, &canvas)
        case .table, .filter, .confirm, .export: drawTable(layout, &canvas)
        }
        deletion?.sheet(columns: size.columns, rows: layout.sheet.rows, glyphs).draw(in: layout.sheet, &canvas)
        if let row = layout.ruleRow {
            canvas.rule(row: row)
            let takesStatus = message.map {
                canvas.write($0, inRule: row, columns: size.columns, continues: focus == .table)
            }
            if takesStatus == true { return canvas.frame }
        }
        if let row = layout.statusRow { CacheStatusBar(state: self, row: row).draw(&canvas) }
        return canvas.frame
    }

    private func drawTable(_ layout: CacheScreenLayout, _ canvas: inout Canvas) {
        if listsGroups, let grouping {
            CacheGroupTable(state: self, layout: layout, grouping: grouping).draw(&canvas)
        } else {
            CacheTable(state: self, layout: layout).draw(&canvas)
            if layout.sheet.isEmpty { CacheDetails(state: self, layout: layout).draw(&canvas) }
        }
        guard count == 0, problem == nil, let window else { return }
        let text = window.query.filter.isEmpty ? "the cache is empty" : "nothing matches"
        canvas.write(StyledText(text, .dim), centeredIn: layout.table, layout.table.row + layout.table.rows / 3)
    }

    /// The message: why a query failed, else a notice.
    fileprivate var message: Notice? {
        guard let problem, focus == .table || focus == .filter else { return notice }
        return Notice(problem, .failure, at: now)
    }

    private func drawTotals(_ canvas: inout Canvas) {
        let columns = size.columns
        var next = canvas.write("cache", 1, 0, width: columns - 1, .heading)
        guard let totals else { return }
        let disk = StyledText("   disk \(Units.bytes(totals.space)) of \(Units.limit(totals.limit))")
        next = canvas.write(disk.truncated(to: columns - 1 - next, glyphs), next, 0, width: columns - next) + 1
        let filled = totals.limit > 0 ? totals.space : 0
        let bar = ProgressBar.thin(filled, of: max(1, totals.limit), at: 0, width: 20, glyphs: glyphs)
        if columns >= 70 { next = canvas.write(bar, next, 0, width: 20) }
        let facts = self.facts(totals, room: columns - 1 - next - 2)
        canvas.write(facts, endingAt: columns - 1, 0, width: columns - 1 - next)
    }

    /// Returns as many of the first facts as fit.
    private func facts(_ totals: CacheStatistics, room: Int) -> StyledText {
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

/// The last line: the cursor's place, marks and filter, or a question; then key hints.
struct CacheStatusBar {
    let state: CacheScreenState
    let row: Int

    private var columns: Int { state.size.columns }
    private var glyphs: GlyphSet { state.glyphs }

    func draw(_ canvas: inout Canvas) {
        let room = columns - 1 - drawLeft(&canvas) - 2
        let right = message(room: room) ?? HintLine(hints, room: room).text
        canvas.write(right, endingAt: columns - 1, row, width: room)
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
            guard state.layout.sheet.isEmpty else { return 1 }
            return canvas.write(deletion.title, 1, row, width: columns - 2, .failure, cut: .end)
        case .filter: return drawField("/", state.filter, &canvas)
        case .export: return drawField("write to:", state.exportPath, &canvas)
        case .table, .help, .totals:
            return canvas.write(place.truncated(to: columns - 2, glyphs), 1, row, width: columns - 2)
        }
    }

    /// The message in place of the hints on a screen that has no rule for it.
    private func message(room: Int) -> StyledText? {
        let message = state.layout.ruleRow == nil ? state.message : nil
        return message.map { StyledText($0.text, $0.style).truncated(to: room, glyphs) }
    }

    private func drawField(_ label: String, _ field: TextField, _ canvas: inout Canvas) -> Int {
        let start = canvas.write(label, 1, row, width: columns - 2, .heading) + 1
        let room = max(0, columns - start - 2)
        let (next, cursor) = canvas.write(field, start, row, width: room, .plain)
        canvas.showCursor(cursor, row)
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
        case .confirm: [hint("y", "delete"), hint(.escape, "keep")]
        case .filter: [hint(.enter, "keep"), hint(.escape, "clear")]
        case .export: [hint(.enter, "write"), hint(.escape, "leave")]
        case .help: [hint(.enter, "run"), hint(.escape, "close")]
        case .totals where state.totalsPanel.map { $0.lastTop > 0 } == true:
            [scrolling("more"), hint(.escape, "close")]
        case .totals: [hint(.escape, "close")]
        case .table where state.listsGroups:
            [hint("g", "group"), hint("d", "delete"), hint("/", "filter"), hint(.enter, "open")] + [help, exitHint]
        case .table where !state.marks.isEmpty:
            // What is done to the marked entries stays longest.
            [
                hint("g", "group"), hint("s", "sort"), hint("/", "filter"), hint(.enter, "details"), hint(" ", "mark"),
                hint("v", "verify"), hint("e", "export"), hint("p", "pin"), hint("d", "delete"),
            ] + [help, exitHint]
        case .table:
            [
                hint("v", "verify"), hint("p", "pin"), hint("e", "export"), hint("g", "group"), hint("s", "sort"),
                hint(" ", "mark"), hint("d", "delete"), hint("/", "filter"), hint(.enter, "details"),
            ] + [help, exitHint]
        }
    }

    private var exitHint: HintLine.Hint { hint("q", state.isStandalone ? "quit" : "back") }
    private var help: HintLine.Hint { hint("?", "help") }

    private func hint(_ character: Character, _ title: String) -> HintLine.Hint { hint(.character(character), title) }

    private func hint(_ key: Key, _ title: String) -> HintLine.Hint { HintLine.Hint(key, title, glyphs) }
    private func scrolling(_ title: String) -> HintLine.Hint { HintLine.Hint("j k", title, key: .down) }
}

/// The help of the cache screen.
extension CacheScreenState {
    private static let keys: [(keys: [Key], title: String)] = [
        ([.character("j"), .character("k")], "down, up"), ([.home, .character("G")], "first, last"),
        ([.control("d"), .control("u")], "half a page"), ([.control("f"), .control("b")], "a page"),
        ([.character("s")], "sort by the next column"), ([.character("S")], "reverse the order"),
        ([.character("g")], "group by host, type, kind, age"), ([.enter], "open the group or the details"),
        ([.escape], "leave the group or the filter"), ([.character("/")], "filter"), ([.character(" ")], "mark"),
        ([.character("u")], "unmark all"), ([.character("d")], "delete the marked or selected"),
        ([.character("D")], "delete all listed entries"), ([.character("p")], "pin or unpin"),
        ([.character("v")], "verify the content"), ([.character("e")], "export the file"),
        ([.character("o")], "show in the browser"),
        ([.character("i"), .character("J"), .character("K")], "details, picture; move in them"),
        ([.character("t")], "hit rates and evictions"), ([.character("r")], "reload the table"),
        ([.control("l")], "redraw"), ([.control("z")], "suspend"), ([.character("q")], "back, or quit"),
    ]
    private static let terms = [
        ("host: type:", "host:a.example type:png"), ("kind:", "kind:processed"),
        ("state:", "state:expired|pinned|damaged"), ("size> age<", "size>500K age>12h hits<3"),
        ("/GLOB", "end of the path: /thumbs/*.jpg"), ("key:", "one source: key:35eddcae7fec"),
    ]

    func helpPanel(_ cursor: HelpCursor) -> HelpPanel<Key> {
        let keys = Self.keys.map { keys, title in
            HelpRow(keys.map { KeyName.sign($0, glyphs) }, title, action: keys.first)
        }
        let blocks = [
            HelpBlock("Here: cache", keys),
            HelpBlock("Filter", Self.terms.map { HelpRow($0.split(separator: " ").map(String.init), $1) }),
            HelpBlock("Signs", [HelpRow([glyphs.onDisk, glyphs.pinned, glyphs.failed], "on disk, pinned, damaged")]),
        ]
        let rect = Rect(column: 0, row: 0, columns: size.columns, rows: layout.ruleRow ?? layout.statusRow ?? size.rows)
        return HelpPanel("cache", blocks, cursor, in: rect, glyphs: glyphs)
    }

    mutating func inHelp(_ key: Key, _ cursor: HelpCursor) -> [CacheScreenEffect] {
        var cursor = cursor
        let panel = helpPanel(cursor)
        if key == .enter {
            guard let action = panel.action else { return [] }
            focus = .table
            return press(action)
        }
        focus = cursor.handle(key, in: panel) ? .help(cursor) : .table
        return []
    }
}

/// The statistics: look-ups by result, saved bytes, evictions.
struct CacheTotalsPanel {
    let totals: CacheStatistics
    let layout: CacheScreenLayout
    let glyphs: GlyphSet

    private static let labelWidths = 14...22
    private static let valueWidths = 10...14

    /// Draws the lines from `top` on.
    func draw(from top: Int, _ canvas: inout Canvas) {
        let room = layout.size.columns - 4
        let labelWidth = Self.labelWidths.clamped(room - Self.valueWidths.upperBound * 2)
        let valueWidth = Self.valueWidths.clamped((room - labelWidth) / 2)
        let end = 3 + labelWidth + valueWidth * 2
        let shown = rows.dropFirst(min(top, lastTop)).prefix(layout.table.rows)
        for (line, (label, run, life, style)) in zip(layout.table.row..., shown) {
            // If both figures do not fit, the one of this run is dropped.
            let isNarrow = room < Self.labelWidths.lowerBound + Self.valueWidths.lowerBound * 2
            let edge = isNarrow ? layout.size.columns - 1 : end
            let lifeWidth = isNarrow ? min(valueWidth, max(0, room - 7)) : run.isEmpty ? valueWidth * 2 : valueWidth
            let labelRoom = isNarrow ? max(0, edge - lifeWidth - 4) : labelWidth
            canvas.write(StyledText(label, style).truncated(to: labelRoom, glyphs), 3, line, width: labelRoom)
            if !isNarrow { canvas.write(StyledText(run, style), endingAt: end - valueWidth, line, width: valueWidth) }
            canvas.write(
                StyledText(life, style).truncated(to: lifeWidth, glyphs), endingAt: edge, line, width: lifeWidth)
        }
    }

    /// The first line from which the rest fits on the screen.
    var lastTop: Int { max(0, rows.count - layout.table.rows) }

    private var rows: [(label: String, run: String, life: String, style: Style)] {
        let results: [(String, KeyPath<CacheTally, Int>)] = [
            ("memory", \.memoryHits), ("disk", \.diskHits), ("revalidated", \.revalidated), ("missed", \.missed),
        ]
        var rows = [("look-ups", "this run", "all runs", Style.dim)]
        rows += results.map { ($0.0, share(totals.run, $0.1), share(totals.life, $0.1), Style.plain) }
        rows.append(("", "", "", .plain))
        rows.append(
            ("bytes saved", Units.bytes(totals.run.bytesSaved), Units.bytes(totals.life.bytesSaved), .plain))
        rows.append(("damaged", Units.count(totals.run.damaged), Units.count(totals.life.damaged), .plain))
        rows.append(("", "", "", .plain))
        rows.append(("evicted", evicted(totals.run), evicted(totals.life), .plain))
        for reason in Set(totals.run.evictions.keys).union(totals.life.evictions.keys).sorted(by: {
            $0.rawValue < $1.rawValue
        }) {
            rows.append(
                (
                    "  \(CacheText.words(for: reason))", Units.count(totals.run.evictions[reason] ?? 0),
                    Units.count(totals.life.evictions[reason] ?? 0), .dim
                ))
        }
        rows.append(("", "", "", .plain))
        rows.append(("contents", "", Units.bytes(totals.bytes), .plain))
        let limit = Units.limit(totals.limit)
        rows.append(("in blocks", "", "\(Units.bytes(totals.space)) of \(limit)", .plain))
        rows.append(("on disk", "", Units.bytes(totals.diskBytes), .plain))
        if let bytes = totals.memoryBytes, let limit = totals.memoryLimit {
            rows.append(("in memory", "", Units.share(bytes, of: limit), .plain))
        }
        return rows
    }

    private func share(_ tally: CacheTally, _ part: KeyPath<CacheTally, Int>) -> String {
        guard tally.lookups > 0 else { return Units.count(tally[keyPath: part]) }
        let percent = Units.percent(tally[keyPath: part], of: tally.lookups)
        return "\(Units.count(tally[keyPath: part])) \(Fitting.pad(percent, to: Units.percentWidth, .trailing))"
    }

    private func evicted(_ tally: CacheTally) -> String {
        Units.count(tally.evictions.values.reduce(0) { $0.addingClamped(max(0, $1)) })
    }
}

extension ClosedRange<Int> {
    fileprivate func clamped(_ value: Int) -> Int { Swift.min(upperBound, Swift.max(lowerBound, value)) }
}
