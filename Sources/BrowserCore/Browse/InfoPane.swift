import Raster

/// The lines under the picture: three short ones, or with `i` all that is known.
struct InfoPane {
    let state: BrowseState
    let layout: BrowseLayout

    private var glyphs: GlyphSet { state.glyphs }
    private var rect: Rect { layout.info }

    func draw(_ canvas: inout Canvas) {
        guard let index = state.selection, !rect.isEmpty else { return }
        let text = PictureText(item: state.list.items[index], facts: state.slot.picture, glyphs: glyphs)
        if state.showsInfo { drawAll(text, index, &canvas) } else { drawShort(text, &canvas) }
        drawActivity(&canvas)
    }

    private func drawShort(_ text: PictureText, _ canvas: inout Canvas) {
        canvas.write(title(text), rect.column, rect.row, width: rect.columns)
        var line = StyledText()
        if let facts = text.facts, !facts.processor.isEmpty { line.append(facts.processor, .dim) }
        for part in [text.drawn, frames(text)].compactMap({ $0 }) { line.append(StyledText(part, .dim), gap: 3) }
        if let warning = text.warning { line.append(StyledText(warning, .warning), gap: 3) }
        canvas.write(line, rect.column, rect.row + 1, width: rect.columns)
        let folder = Fitting.middle(text.folder, to: rect.columns, ellipsis: glyphs.ellipsis)
        canvas.write(folder, rect.column, rect.row + 2, width: rect.columns, .dim)
    }

    /// The name, and as many of the facts as leave it twenty cells.
    private func title(_ text: PictureText) -> StyledText {
        let columns = rect.columns - (activity?.width ?? 0)
        let width = min(CellWidth.of(text.item.name), 20)
        var facts = StyledText()
        let origin = text.warning == nil ? text.origin : nil
        for part in [text.format, text.facts.map { Units.bytes($0.bytes) }, origin].compactMap({ $0 }) {
            guard width + facts.width + 4 + CellWidth.of(part) <= columns else { break }
            facts.append(StyledText(part, .dim), gap: 2)
        }
        let room = max(width, columns - facts.width - 2)
        var line = StyledText(Fitting.middle(text.item.name, to: room, ellipsis: glyphs.ellipsis), .strong)
        line.append(facts, gap: 2)
        return line
    }

    private func drawAll(_ text: PictureText, _ index: Int, _ canvas: inout Canvas) {
        canvas.write(
            Fitting.middle(text.item.name, to: rect.columns, ellipsis: glyphs.ellipsis), rect.column, rect.row,
            width: rect.columns, .strong)
        let width = max(0, rect.columns - 11)
        let details = DetailRows(
            lines(text, index) + state.details.lines, width: width, count: rect.rows - 1, ellipsis: glyphs.ellipsis)
        for (offset, detail) in details.rows.enumerated() {
            let row = rect.row + 1 + offset
            if detail.isFirst { canvas.write(detail.line.label, rect.column, row, width: 10, .dim) }
            canvas.write(detail.part, rect.column + 11, row, width: width)
        }
    }

    /// What is known without asking anyone.
    private func lines(_ text: PictureText, _ index: Int) -> [DetailLine] {
        let place = "line \(Units.count(index + 1)) of \(Units.count(state.list.items.count))"
        let known = [DetailLine("location", text.item.location), DetailLine("state", "\(stateName(index)), \(place)")]
        guard let facts = text.facts, let format = text.format, let drawn = text.drawn, let origin = text.origin
        else { return known }
        let bytes = "\(Units.bytes(facts.bytes)) (\(Units.count(facts.bytes)) bytes)"
        return known + [
            DetailLine("picture", [format, frames(text), bytes].compactMap { $0 }.joined(separator: ", ")),
            DetailLine("drawn", "\(drawn), \(facts.processor.isEmpty ? "not processed" : facts.processor)"),
            DetailLine("came", origin),
        ]
    }

    private func frames(_ text: PictureText) -> String? {
        text.frames(stoppedAt: state.isMotionPaused ? state.slot.playTime(at: state.now) : nil)
    }

    private func stateName(_ index: Int) -> String {
        switch state.statuses.status(of: index, at: state.now) {
        case .waiting: state.isSetAside(index) ? "skipped" : "waiting"
        case .connecting: "connecting"
        case .loading(let received, _, _): "loading, \(Units.bytes(received)) so far"
        case .onDisk: "on disk"
        case .inMemory: "in memory"
        case .retrying(let attempt, let count, _, let reason): "\(reason); try \(attempt) of \(count) follows"
        case .parked(let seconds, let reason, _):
            "waiting: \(reason), next try \(seconds > 0 ? "in \(Units.duration(seconds: seconds))" : "now")"
        case .failed(let reason): "failed: \(reason)"
        case .duplicate(let other): "the same as line \(Units.count(other.rawValue &+ 1))"
        }
    }

    private func drawActivity(_ canvas: inout Canvas) {
        guard let activity else { return }
        canvas.write(activity, endingAt: rect.column + rect.columns, rect.row, width: rect.columns)
    }

    /// While a picture stands and another one is on its way, a spinner says so at the right.
    private var activity: StyledText? {
        guard case .picture(_, _, let indicator?) = state.slot.content(at: state.now) else { return nil }
        var line = StyledText("  " + glyphs.spin(at: state.now), .accent)
        if let total = indicator.total {
            line.append(Fitting.pad(Units.percent(indicator.received, of: total), to: 6, .trailing))
        }
        return line
    }
}
