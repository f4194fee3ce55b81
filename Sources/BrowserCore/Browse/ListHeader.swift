import Raster

/// The header of the list: its title and prefetch progress, or the filter.
struct ListHeader {
    private static let longBar = 8
    private static let shortBar = 5
    /// The cells that the title keeps.
    private static let titleWidth = 10

    let state: BrowseState
    let width: Int

    private var glyphs: GlyphSet { state.glyphs }
    /// The end of the facts at the right.
    private var edge: Int { width - (width >= 40 ? 2 : 1) }

    func draw(_ canvas: inout Canvas) {
        if let groups = state.duplicates { return drawGroup(groups, &canvas) }
        if state.focus == .filter || state.list.isFiltered { return drawFilter(&canvas) }
        let start = canvas.write("alcedo", 1, 0, width: width - 1, .heading) + 2
        let least = min(CellWidth.of(state.title), Self.titleWidth)
        var right = progress(room: edge - start - least - 2)
        if edge - start - least - 2 >= right.width + CellWidth.of(note) + 2 {
            right = joined(StyledText(note, .dim), right)
        }
        let room = edge - start - (right.width > 0 ? right.width + 2 : 0)
        canvas.write(state.title, start, 0, width: room, cut: .middle)
        canvas.write(right, endingAt: edge, 0, width: edge - start)
    }

    private func drawGroup(_ groups: DuplicateGroups, _ canvas: inout Canvas) {
        let number = StyledText("\(Units.count(groups.current + 1)) of \(Units.count(groups.all.count))", .dim)
        let start = canvas.write("duplicates", 1, 0, width: width - 1, .heading) + 2
        canvas.write(groups.title, start, 0, width: max(0, edge - number.width - 2 - start))
        canvas.write(number, endingAt: edge, 0, width: max(0, edge - start))
    }

    private func joined(_ one: StyledText, _ other: StyledText) -> StyledText {
        var text = one
        if other.width > 0 { text.append(other, gap: 2) }
        return text
    }

    /// The sort order, the number of skipped lines and the progress of reading.
    private var note: String {
        let count = state.skippedLines == nil ? "reading\(glyphs.ellipsis) \(Units.count(state.list.count))" : ""
        let skipped = state.skippedLines.flatMap { $0 > 0 ? "\(Units.count($0)) skipped" : nil } ?? ""
        let order = state.list.order == .list ? "" : "by \(state.list.order.title)"
        return [order, skipped, count].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// Returns `163/200 ━━━━━━╸─  12 s`, or less of it if there is little room.
    private func progress(room: Int) -> StyledText {
        guard state.progress.isShown else { return StyledText() }
        let total = state.statuses.count
        let done = total - state.pendingItems
        let number = Units.count(total)
        let count = StyledText("\(Fitting.pad(Units.count(done), to: number.count, .trailing))/\(number)")
        let time = Fitting.pad(timeLeft, to: Units.durationWidth, .trailing)
        let choices = [(Self.longBar, time), (Self.shortBar, time), (Self.shortBar, ""), (0, "")]
        let texts = choices.map { bar, time in
            var text = count
            let thin = ProgressBar.thin(done, of: total, at: state.now, width: bar, glyphs: glyphs)
            if bar > 0 { text.append(thin, gap: 1) }
            text.append(time.isEmpty ? "" : " " + time, .dim)
            return text
        }
        return texts.first { $0.width <= room } ?? StyledText()
    }

    /// The remaining time; empty unless prefetching goes on.
    private var timeLeft: String {
        guard !state.isPrefetchPaused, !state.isLowData, state.skippedLines != nil else { return "" }
        return state.progress.secondsLeft(for: state.pendingItems).map { Units.duration(seconds: $0) } ?? ""
    }

    private func drawFilter(_ canvas: inout Canvas) {
        let found = Units.count(state.list.count) + (state.list.isFiltering ? glyphs.ellipsis : "")
        let count = StyledText("\(found) of \(Units.count(state.list.items.count))", .dim)
        let room = max(0, edge - 5 - count.width)
        let start = canvas.write("/", 1, 0, width: 1, .heading) + 1
        let excess = CellWidth.of(state.filter.text) - room
        let shown = excess > 0 ? Fitting.suffix(state.filter.text, to: room) : state.filter.text
        let next = canvas.write(shown, start, 0, width: room, .accent)
        if state.focus == .filter { canvas.showCursor(next, 0) }
        canvas.write(count, endingAt: edge, 0, width: edge - next - 1)
    }
}
