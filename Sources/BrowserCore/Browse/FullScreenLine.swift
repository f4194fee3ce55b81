import Raster

/// The one line of full screen, at the bottom; it goes two seconds after the last key.
struct FullScreenLine {
    let state: BrowseState
    let layout: BrowseLayout

    func draw(_ canvas: inout Canvas) {
        guard let row = layout.statusRow, let index = state.selection else { return }
        if let notice = state.notice { return drawRight(StyledText(notice.text, notice.style), row, &canvas) }
        guard state.now < state.fullScreenLineEnd else { return }
        let text = PictureText(item: state.list.items[index], facts: state.slot.picture, glyphs: state.glyphs)
        var line = StyledText(Fitting.truncateMiddle(text.item.name, to: 40, ellipsis: state.glyphs.ellipsis), .strong)
        if let format = text.format { line.append(StyledText(format, .dim), gap: 2) }
        if let warning = text.warning { line.append(StyledText(warning, .warning), gap: 2) }
        line.append(StyledText("\(Units.count(state.viewport.cursor + 1))/\(Units.count(state.list.count))"), gap: 2)
        if let zoom = state.zoomText { line.append(StyledText(zoom, .accent), gap: 2) }
        let columns = layout.size.columns
        let next = canvas.write(line, 1, row, width: columns - 2)
        drawRight(HintLine.text(hints, room: columns - next - 3), row, &canvas)
    }

    private var hints: [StyledText] {
        let moves =
            state.zoom.isFit
            ? [hint([.down, .up], "move"), hint([.zoomIn], "zoom")]
            : [
                hint(BrowseState.panKeys, "move"), hint([.zoomIn], "in"), hint([.zoomOut], "out"),
                hint([.zoomFit], "fit"),
            ]
        let moving = state.slot.picture?.frameInterval != nil
        let motion = moving ? hint([.pauseAnimation], state.isMotionPaused ? "play" : "pause") : nil
        let slides = hint([.slideshow], state.slideEnd == nil ? "slideshow" : "end slideshow")
        return (moves + [motion, slides, hint([.fullScreen], "back"), hint([.help], "help")]).compactMap(\.self)
    }

    private func hint(_ actions: [BrowseAction], _ title: String) -> StyledText? { state.hint(actions, title)?.text }

    private func drawRight(_ text: StyledText, _ row: Int, _ canvas: inout Canvas) {
        canvas.write(text, endingAt: layout.size.columns - 1, row, width: layout.size.columns - 2)
    }
}
