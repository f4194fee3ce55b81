import AlcedoScreen
import Raster

/// The details of the selected entry below the table: facts, headers, variants, and its picture beside them.
struct CacheDetails {
    let state: CacheScreenState
    let layout: CacheScreenLayout

    private var rect: Rect { layout.details }
    private var lines: [DetailLine] { state.shown?.details ?? [] }
    private var glyphs: GlyphSet { state.glyphs }

    func draw(_ canvas: inout Canvas) {
        guard !rect.isEmpty, state.selected != nil else { return }
        canvas.rule(rect)
        drawPreview(&canvas)
        let top = min(state.detailsTop, lastTop)
        if lastTop > 0 {
            let left = lastTop - top
            let hint = left > 0 ? " J K \(Units.count(left)) more " : " J K "
            let end = rect.column + rect.columns - 1
            canvas.write(StyledText(hint, .dim), endingAt: end, rect.row, width: rect.columns)
        }
        let width = layout.preview.isEmpty ? rect.columns - 1 : layout.preview.column - 2
        let room = max(0, width - 12)
        let details = DetailRows(
            Array(lines.dropFirst(top)), width: room, count: rect.rows - 1, ellipsis: glyphs.ellipsis)
        for (offset, detail) in details.rows.enumerated() {
            let row = rect.row + 1 + offset
            if detail.isFirst { canvas.write(detail.line.label, rect.column + 1, row, width: min(10, width), .dim) }
            canvas.write(
                detail.part, rect.column + 12, row, width: room, detail.line.label == "damage" ? .failure : .plain)
        }
    }

    /// The last line from which the details can be shown.
    var lastTop: Int {
        rect.isEmpty ? 0 : max(0, lines.count - (rect.rows - 1))
    }

    private func drawPreview(_ canvas: inout Canvas) {
        guard !layout.preview.isEmpty, let shown = state.shown, let preview = shown.preview else { return }
        let box = state.cell.pixels(of: layout.preview)
        guard !preview.size.isEmpty, preview.size.width <= box.width, preview.size.height <= box.height else { return }
        let covered = layout.preview.centered(state.cell.cells(covering: preview.size))
        canvas.place(PicturePlacement(rect: covered, picture: preview.picture))
    }
}
