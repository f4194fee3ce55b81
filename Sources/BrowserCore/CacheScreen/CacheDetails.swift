import Raster

/// All that is known of the selected entry, in two columns under the table.
struct CacheDetails {
    let state: CacheScreenState
    let rect: Rect

    func draw(_ canvas: inout Canvas) {
        guard !rect.isEmpty, let row = state.selected else { return }
        canvas.write(
            String(repeating: state.glyphs.horizontal, count: rect.columns), rect.column, rect.row,
            width: rect.columns, .divider)
        let half = rect.columns / 2
        for (offset, pair) in pairs(row).enumerated() {
            let column = rect.column + 1 + offset / 5 * half
            let width = half - 13
            canvas.write(pair.label, column, rect.row + 1 + offset % 5, width: 10, .dim)
            let value = Fitting.middle(pair.value, to: width, ellipsis: state.glyphs.ellipsis)
            canvas.write(value, column + 11, rect.row + 1 + offset % 5, width: width)
        }
    }

    private func pairs(_ row: CacheRow) -> [(label: String, value: String)] {
        [
            ("name", row.name),
            ("host", row.host),
            ("key", row.id),
            ("processor", row.processor.isEmpty ? "none" : row.processor),
            ("kind", row.kind),
            ("state", CacheText.stateName(row)),
            ("size", "\(Units.bytes(row.bytes)) (\(Units.count(row.bytes)) bytes)"),
            ("pixels", CacheText.pixels(row, state.glyphs)),
            ("hits", "\(Units.count(row.hits)), last \(Units.duration(seconds: row.secondsSinceUse)) ago"),
            ("expires", CacheText.expiry(row)),
        ]
    }
}
