import AlcedoScreen
import Raster

/// The picture's area: the picture, or a centered card.
struct SlotPane {
    let state: BrowseState
    let rect: Rect
    /// Whether cards include the name.
    var showsName = true

    private var glyphs: GlyphSet { state.glyphs }
    private var width: Int { max(0, min(rect.columns - 2, 56)) }

    func draw(_ canvas: inout Canvas) {
        guard let index = state.selection, !rect.isEmpty else { return }
        let item = state.list.items[index]
        switch state.slot.content(at: state.now) {
        case .empty:
            guard state.isEmptyFolder(item.id) else { break }
            let known = state.folderTexts.summaries[index]?.first { !$0.hasPrefix("0 ") } ?? "no pictures"
            let text = Fitting.truncateMiddle(
                "\(known) in \(item.name)", to: rect.columns - 2, ellipsis: glyphs.ellipsis)
            canvas.write(StyledText(text, .dim), centeredIn: rect, rect.row + rect.rows / 3)
        case .placeholder(let indicator): drawPlaceholder(item, indicator, &canvas)
        case .picture(let facts, let step, let indicator):
            if !place(facts, step, &canvas) { drawPlaceholder(item, indicator, &canvas) }
        case .failure(let facts): draw(failure(item, facts), &canvas)
        case .failurePicture(let picture, let facts):
            if !place(picture, PicturePlacement.finished, &canvas) { draw(failure(item, facts), &canvas) }
        case .cancelled: draw(cancelled(item), &canvas)
        }
    }

    /// Draws the picture in the middle.
    ///
    /// - Returns: false if it was made for a larger box and does not fit.
    private func place(_ facts: ShownPicture, _ step: Int, _ canvas: inout Canvas) -> Bool {
        let box = state.cell.pixels(of: rect)
        guard !facts.size.isEmpty, facts.size.width <= box.width, facts.size.height <= box.height else { return false }
        let covered = rect.centered(state.cell.cells(covering: facts.size))
        let playTime = facts.frameInterval == nil ? 0 : state.slot.playTime(at: state.now)
        canvas.place(
            PicturePlacement(rect: covered, picture: facts.picture, transitionStep: step, playTime: playTime))
        return true
    }

    private func draw(_ lines: [StyledText], _ canvas: inout Canvas) { canvas.write(lines, centeredIn: rect) }

    /// Draws the placeholder; reserves the indicator's rows so that nothing moves when it appears.
    private func drawPlaceholder(_ item: BrowseItem, _ indicator: SlotIndicator?, _ canvas: inout Canvas) {
        let rows = min(indicatorRows, max(0, rect.rows - 4))
        guard state.options.hasOwnPlaceholder else {
            // Two pictures are named below them.
            let card = state.slot.isComparing ? [] : named(item, [place(item), known(item), StyledText()])
            draw(card + Array(repeating: StyledText(), count: rows), &canvas)
            let top = rect.row + (rect.rows - min(rect.rows, card.count + rows)) / 2 + card.count
            return draw(indicator, of: item, rows: rows, from: top, &canvas)
        }
        let upper = Rect(column: rect.column, row: rect.row, columns: rect.columns, rows: rect.rows - rows)
        canvas.place(PlaceholderArea(rect: upper, role: .placeholder(name: item.name, place: item.place)))
        draw(indicator, of: item, rows: rows, from: rect.row + upper.rows, &canvas)
    }

    private var indicatorRows: Int {
        if case .custom(let rows) = state.options.indicator { max(1, rows) } else { 2 }
    }

    private func draw(
        _ indicator: SlotIndicator?, of item: BrowseItem, rows: Int, from top: Int, _ canvas: inout Canvas
    ) {
        guard let indicator, rows > 0 else { return }
        let lower = Rect(column: rect.column, row: top, columns: rect.columns, rows: rows)
        guard case .custom = state.options.indicator else {
            for (offset, line) in self.indicator(indicator, item).prefix(rows).enumerated() {
                canvas.write(line, centeredIn: lower, top + offset)
            }
            return
        }
        let role = PlaceholderArea.Role.indicator(
            elapsed: indicator.elapsed, received: indicator.received, total: indicator.total)
        canvas.place(PlaceholderArea(rect: lower, role: role))
    }

    /// Returns a card's lines, below the name unless it is shown elsewhere.
    private func named(_ item: BrowseItem, _ lines: [StyledText]) -> [StyledText] {
        guard showsName else { return lines }
        return [StyledText(Fitting.truncateMiddle(item.name, to: width, ellipsis: glyphs.ellipsis), .strong)] + lines
    }

    private func place(_ item: BrowseItem) -> StyledText {
        StyledText(Fitting.truncateMiddle(item.place, to: width, ellipsis: glyphs.ellipsis), .dim)
    }

    private func known(_ item: BrowseItem) -> StyledText {
        switch state.statuses.status(of: item.id.rawValue, at: state.now) {
        case .onDisk(let bytes): StyledText("\(Units.bytes(bytes)) on disk", .dim)
        case .inMemory(let bytes): StyledText("\(Units.bytes(bytes)) in memory", .dim)
        case .loading(_, let total?, _, _): StyledText(Units.bytes(total), .dim)
        default: StyledText()
        }
    }

    private func indicator(_ indicator: SlotIndicator, _ item: BrowseItem) -> [StyledText] {
        switch state.options.indicator {
        case _ where state.slot.isComparing: [StyledText(glyphs.spin(at: state.now), .accent)]
        case .none, .custom: []
        case .disc: [disc(indicator, item), numbers(indicator, item)]
        case .bar: [bar(indicator, item), numbers(indicator, item)]
        }
    }

    /// Returns a spinner; nothing while the next attempt is due later.
    private func spinner(_ item: BrowseItem) -> StyledText {
        let isDue = ![.retrying, .parked].contains(state.statuses.kind(of: item.id.rawValue))
        return isDue ? StyledText(glyphs.spin(at: state.now), .accent) : StyledText()
    }

    private func disc(_ indicator: SlotIndicator, _ item: BrowseItem) -> StyledText {
        guard let total = indicator.total, total > 0 else { return spinner(item) }
        return StyledText(glyphs.disc(percent: Units.percentage(indicator.received, of: total)), .accent)
    }

    private func bar(_ indicator: SlotIndicator, _ item: BrowseItem) -> StyledText {
        guard indicator.received > 0 || indicator.total != nil else { return spinner(item) }
        return ProgressBar.thin(
            indicator.received, of: indicator.total, at: state.now, width: min(30, width), glyphs: glyphs)
    }

    private func numbers(_ indicator: SlotIndicator, _ item: BrowseItem) -> StyledText {
        guard indicator.received > 0 || indicator.total != nil else { return delay(item) }
        let text = state.statusText(of: item.id.rawValue)
        let received = Units.bytes(indicator.received)
        let rate = Fitting.pad(text.rate.map { Units.rate($0) } ?? "", to: Units.rateWidth, .trailing)
        guard let total = indicator.total, total > 0 else { return StyledText("\(received)  \(rate)", .dim) }
        let share = Fitting.pad(Units.percent(indicator.received, of: total), to: Units.percentWidth, .trailing)
        let amount = Fitting.pad("\(received) of \(Units.bytes(total))", to: Units.bytesWidth * 2 + 4, .trailing)
        let time = Fitting.pad(text.timeLeft ?? "", to: Units.durationWidth, .trailing)
        let forms = [[amount, share, rate, time], [share, rate, time]].map { $0.joined(separator: "  ") }
        return StyledText(forms.first { CellWidth.of($0) <= width } ?? share, .dim)
    }

    /// Returns the reason for the delay before the first byte, as in the item's row.
    private func delay(_ item: BrowseItem) -> StyledText {
        let text = state.statusText(of: item.id.rawValue)
        switch text.status {
        case .retrying, .parked:
            var line = text.field(width: width)
            line.append(text.fact(width: width - line.width - 2), gap: 2)
            let hint = " \(glyphs.dot) r asks now"
            if line.width + CellWidth.of(hint) <= width { line.append(hint, .dim) }
            return line
        case .connecting:
            var line = text.fact(width: width)
            text.delay(width: width).map { line.append($0, gap: 2) }
            return line
        case .onDisk, .inMemory: return StyledText("reading", .dim)
        default: return StyledText("waiting", .dim)
        }
    }

    private func failure(_ item: BrowseItem, _ facts: FailureFacts) -> [StyledText] {
        let title = Fitting.wrap(
            "\(glyphs.failed) \(facts.title)", to: width, limit: max(1, min(3, rect.rows - 2)),
            ellipsis: glyphs.ellipsis)
        let detail = Fitting.wrap(
            facts.detail, to: width, limit: max(4, rect.rows - 4 - title.count), ellipsis: glyphs.ellipsis)
        let count = Units.count(facts.attempts)
        let tries =
            switch facts.attempts {
            case 0: ["failed"]
            case 1: ["tried once", "1\(glyphs.times)"]
            default: ["tried \(count) times", "\(count)\(glyphs.times)"]
            }
        let cause = title.map { StyledText($0, Style(.error, bold: true)) }
        let hint = retryHint(tries, "tries again")
        let reason = facts.detail.isEmpty ? [] : detail.map { StyledText($0) } + [StyledText()]
        let whole = named(item, cause + [StyledText()] + reason + [hint])
        guard whole.count > rect.rows else { return whole }
        // Of a low card the blank rows and the end of the reason are left out, not what to press.
        let room = rect.rows - cause.count - 1 - (showsName ? 1 : 0)
        let short = Fitting.wrap(facts.detail, to: width, limit: room, ellipsis: glyphs.ellipsis)
        let lines = cause + short.map { StyledText($0) } + [hint]
        return room < 0 ? lines : named(item, lines)
    }

    private func cancelled(_ item: BrowseItem) -> [StyledText] {
        named(item, [place(item), StyledText(), retryHint(["cancelled"], "loads it")])
    }

    /// Returns what happened, in the longest form that fits, and what `r` does.
    private func retryHint(_ forms: [String], _ effect: String) -> StyledText {
        let key = "r \(effect)"
        let form = forms.map { "\($0) \(glyphs.dot) " }.first { CellWidth.of($0 + key) <= rect.columns } ?? ""
        var text = StyledText(form, .dim)
        text.append("r", .accent)
        text.append(" \(effect)", .dim)
        return text
    }
}
