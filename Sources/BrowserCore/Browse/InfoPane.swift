import Raster

/// The preview's title, and below the picture three short lines or all details.
struct InfoPane {
    /// The width of `last answer`, so that the values do not move when it appears.
    private static let labelWidth = 11

    let state: BrowseState
    let layout: BrowseLayout

    private var glyphs: GlyphSet { state.glyphs }
    private var rect: Rect { layout.info }

    func draw(_ canvas: inout Canvas) {
        guard let index = state.selection else { return }
        let text = PictureText(item: state.list.items[index], facts: state.slot.picture, glyphs: glyphs)
        drawTitle(text, &canvas)
        guard !rect.isEmpty else { return }
        if rect.row > layout.preview.row {
            canvas.rule(Rect(column: rect.column, row: rect.row - 1, columns: rect.columns, rows: 1))
        }
        if state.showsInfo { drawAll(text, index, &canvas) } else { drawShort(text, &canvas) }
    }

    private func drawTitle(_ text: PictureText, _ canvas: inout Canvas) {
        guard let row = layout.titleRow else { return }
        let activity = activity ?? StyledText()
        canvas.write(activity, endingAt: rect.column + rect.columns, row, width: rect.columns)
        let room = rect.columns - activity.width
        canvas.write(text.item.name, rect.column, row, width: room, .heading, cut: .middle)
    }

    private func drawShort(_ text: PictureText, _ canvas: inout Canvas) {
        canvas.write(text.folder, rect.column, rect.row, width: rect.columns, .dim, cut: .middle)
        let size = text.facts.map { Units.bytes($0.bytes) }
        let origin = text.warning == nil ? text.origin : nil
        let facts = line([text.format, size, frames(text), origin], warning: text.warning)
        canvas.write(facts, rect.column, rect.row + 1, width: rect.columns)
        let drawn = line([text.shown(zoom: state.zoom), text.facts?.processor])
        canvas.write(drawn, rect.column, rect.row + 2, width: rect.columns)
    }

    /// Returns as many of the first facts as fit.
    private func line(_ parts: [String?], warning: String? = nil) -> StyledText {
        let known = parts.compactMap { $0 }.filter { !$0.isEmpty }.map { StyledText($0, .dim) }
        var line = StyledText()
        for part in known + (warning.map { [StyledText($0, .warning)] } ?? []) {
            guard line.width == 0 || line.width + 3 + part.width <= rect.columns else { break }
            line.append(part, gap: 3)
        }
        return line
    }

    private func drawAll(_ text: PictureText, _ index: Int, _ canvas: inout Canvas) {
        let lines = lines(text, index) + state.details.lines
        let longest = lines.map { CellWidth.of($0.label) }.max() ?? 0
        let labelWidth = min(max(Self.labelWidth, longest), rect.columns / 3)
        let width = max(0, rect.columns - labelWidth - 1)
        let details = DetailRows(lines, width: width, count: rect.rows, ellipsis: glyphs.ellipsis)
        for (offset, detail) in details.rows.enumerated() {
            let row = rect.row + offset
            if detail.isFirst { canvas.write(detail.line.label, rect.column, row, width: labelWidth, .dim) }
            canvas.write(detail.part, rect.column + labelWidth + 1, row, width: width)
        }
    }

    /// Returns the details that the state holds.
    private func lines(_ text: PictureText, _ index: Int) -> [DetailLine] {
        let place = "entry \(Units.count(index + 1)) of \(Units.count(state.list.items.count))"
        let known = [DetailLine("location", text.item.location), DetailLine("state", "\(stateName(index)), \(place)")]
        guard let facts = text.facts, let format = text.format, let drawn = text.shown(zoom: state.zoom),
            let source = text.source
        else { return known }
        let bytes = "\(Units.bytes(facts.bytes)) (\(Units.count(facts.bytes)) bytes)"
        let picture = [format, facts.color, frames(text) ?? "", bytes].filter { !$0.isEmpty }
        return known + [
            DetailLine("picture", picture.joined(separator: ", ")),
            DetailLine(
                "drawn",
                "\(drawn.dropFirst("shown ".count)), \(facts.processor.isEmpty ? "not processed" : facts.processor)"),
            DetailLine("loaded", source),
        ]
    }

    private func frames(_ text: PictureText) -> String? {
        text.frames(stoppedAt: state.isMotionPaused ? state.slot.playTime(at: state.now) : nil)
    }

    private func stateName(_ index: Int) -> String {
        switch state.statuses.status(of: index, at: state.now) {
        case .waiting: state.isSkipped(index) ? "skipped" : "waiting"
        case .connecting: "connecting"
        case .loading(let received, _, _): "loading, \(Units.bytes(received)) so far"
        case .onDisk: "on disk"
        case .inMemory: "in memory"
        case .retrying(let attempt, let count, _, let reason): "\(reason); try \(attempt) of \(count) follows"
        case .parked(let seconds, let reason, _): "waiting: \(reason), \(Units.nextTry(seconds: seconds))"
        case .failed(let reason): "failed: \(reason)"
        case .duplicate(let other): "the same as entry \(Units.count(other.rawValue &+ 1))"
        }
    }

    /// A spinner for a running request while a picture is shown.
    private var activity: StyledText? {
        guard case .picture(_, _, let indicator?) = state.slot.content(at: state.now) else { return nil }
        var line = StyledText("  " + glyphs.spin(at: state.now), .accent)
        if let total = indicator.total {
            line.append(Fitting.pad(Units.percent(indicator.received, of: total), to: 6, .trailing))
        }
        return line
    }
}
