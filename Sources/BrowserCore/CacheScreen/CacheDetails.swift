import Raster

/// The details of the selected entry below the table: facts, headers, variants, and its picture beside them.
struct CacheDetails {
    let state: CacheScreenState
    let layout: CacheScreenLayout

    private var rect: Rect { layout.details }
    private var glyphs: GlyphSet { state.glyphs }

    func draw(_ canvas: inout Canvas) {
        guard !rect.isEmpty, let row = state.selected else { return }
        canvas.rule(rect)
        drawPreview(&canvas)
        let lines = lines(row)
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
            let style = detail.line.label == "damage" ? Style.failure : .plain
            canvas.write(detail.part, rect.column + 12, row, width: room, style)
        }
    }

    /// The last line from which the details can be shown.
    var lastTop: Int {
        guard !rect.isEmpty, let row = state.selected else { return 0 }
        return max(0, lines(row).count - (rect.rows - 1))
    }

    private func drawPreview(_ canvas: inout Canvas) {
        guard !layout.preview.isEmpty, let shown = state.shown, let preview = shown.preview else { return }
        let box = state.cell.pixels(of: layout.preview)
        guard !preview.size.isEmpty, preview.size.width <= box.width, preview.size.height <= box.height else { return }
        let covered = layout.preview.centered(state.cell.cells(covering: preview.size))
        canvas.place(PicturePlacement(rect: covered, picture: preview.picture))
    }

    /// The details, the most important first, because a low pane hides the rest.
    private func lines(_ row: CacheRow) -> [DetailLine] {
        let details = state.shown.flatMap { $0.id == row.id ? $0.details : nil }
        let picture = [details?.format ?? "", CacheText.pixels(row, glyphs)].filter { !$0.isEmpty }
        let size = ["\(Units.bytes(row.bytes)) (\(Units.count(row.bytes)) bytes)"] + picture
        let hits = "\(Units.count(row.hits)) \(row.hits == 1 ? "time" : "times")"
        let (use, store) = (
            Units.duration(seconds: row.secondsSinceUse), Units.duration(seconds: row.secondsSinceStore)
        )
        var facts = [
            ("address", details?.address ?? row.name), ("key", details?.key ?? ""),
            ("kind", row.processor.isEmpty ? row.kind : "\(row.kind): \(row.processor)"),
            ("state", CacheText.stateName(row)), ("damage", details?.damage ?? ""),
            ("size", size.joined(separator: ", ")), ("used", "\(hits), last \(use) ago; stored \(store) ago"),
            ("expires", CacheText.expiry(row)), ("eviction", details?.eviction ?? ""), ("etag", details?.etag ?? ""),
            ("modified", details?.lastModified ?? ""), ("sha256", details?.digest ?? ""),
        ]
        facts += (details?.variants ?? []).map { ("variant", $0) }
        facts += (details?.headers ?? []).map { ("header", $0) }
        return facts.filter { !$0.1.isEmpty }.map { DetailLine($0.0, $0.1) }
    }
}
