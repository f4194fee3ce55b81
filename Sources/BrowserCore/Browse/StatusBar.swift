import Raster

/// The last line: where one is, what the caches hold and do, and the keys that matter.
struct StatusBar {
    let state: BrowseState
    let layout: BrowseLayout

    private var glyphs: GlyphSet { state.glyphs }
    private var columns: Int { layout.size.columns }

    func draw(_ canvas: inout Canvas) {
        guard let row = layout.statusRow else { return }
        let reserved = HintLine.help(glyphs).width + 3
        var facts = StyledText()
        for fact in self.facts where facts.width + fact.width + 2 <= columns - reserved { facts.append(fact, gap: 2) }
        let next = canvas.write(facts, 1, row, width: columns - 1)
        let room = columns - 1 - next - 2
        let right = state.notice.map { StyledText(Fitting.end($0.text, to: room, ellipsis: glyphs.ellipsis), .accent) }
        canvas.write(right ?? HintLine.text(hints, room: room), endingAt: columns - 1, row, width: room)
    }

    private var facts: [StyledText] {
        [position, cached] + [failed, transfers, pause].compactMap { $0 } + usage
    }

    private var position: StyledText {
        let total = Units.count(state.list.count)
        let place = state.list.count == 0 ? "0" : Units.count(state.viewport.cursor + 1)
        return StyledText(Fitting.pad(place, to: total.count, .trailing) + "/" + total)
    }

    private var cached: StyledText {
        var text = StyledText(glyphs.inMemory, .ok)
        text.append(" \(Units.count(state.statuses.count(of: .inMemory)))  ")
        text.append(glyphs.onDisk, .accent)
        text.append(" \(Units.count(state.statuses.count(of: .onDisk)))")
        return text
    }

    private var failed: StyledText? {
        let count = state.statuses.count(of: .failed)
        return count > 0 ? StyledText("\(glyphs.failed) \(Units.count(count))", .failure) : nil
    }

    private var transfers: StyledText? {
        let count = state.statuses.count(of: .loading) + state.statuses.count(of: .connecting)
        guard count > 0 else { return nil }
        let rate = Fitting.pad(Units.rate(state.statuses.rate), to: Units.rateWidth)
        return StyledText("\(glyphs.download) \(Units.count(count)) \(glyphs.times) \(rate)", Style(.bar))
    }

    private var pause: StyledText? {
        state.isPrefetchPaused ? StyledText("\(glyphs.parked) paused", .warning) : nil
    }

    private var usage: [StyledText] {
        guard let usage = state.usage else { return [] }
        return [
            StyledText("mem \(Units.share(usage.memoryBytes, of: usage.memoryLimit))", .dim),
            StyledText("disk \(Units.share(usage.diskBytes, of: usage.diskLimit))", .dim),
        ]
    }

    private var hints: [StyledText] {
        switch state.focus {
        case .list: listHints + [HintLine.help(glyphs)]
        case .filter: [(glyphs.enter, "keep"), ("!", "inverse"), ("Esc", "clear")].map(HintLine.hint)
        case .help: [(glyphs.enter, "run"), ("Esc", "close")].map(HintLine.hint)
        case .tasks:
            [("p", "pause"), ("R", "retry all"), ("r", "retry"), ("x", "cancel"), ("w", "close")].map(HintLine.hint)
        }
    }

    private var listHints: [StyledText] {
        let pane = layout.isWide ? [] : [HintLine.hint("Tab", "pane")]
        let moves = [("j k", "move"), (glyphs.enter, "full"), ("/", "filter"), (glyphs.space, "mark")]
        return moves.map(HintLine.hint) + pane + motion
    }

    /// Only for a picture that moves.
    private var motion: [StyledText] {
        guard state.slot.picture?.frameInterval != nil else { return [] }
        return [HintLine.hint(".", state.isMotionPaused ? "play" : "pause")]
    }
}
