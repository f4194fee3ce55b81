import Raster

/// The statistics: look-ups by result, saved bytes, evictions.
struct CacheTotalsPanel {
    let totals: CacheTotals
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
        let results: [(String, KeyPath<CacheTotals.Tally, Int>)] = [
            ("memory", \.memory), ("disk", \.disk), ("revalidated", \.revalidated), ("missed", \.missed),
        ]
        var rows = [("look-ups", "this run", "all runs", Style.dim)]
        rows += results.map { ($0.0, share(totals.run, $0.1), share(totals.life, $0.1), Style.plain) }
        rows.append(("", "", "", .plain))
        rows.append(
            ("bytes saved", Units.bytes(totals.run.bytesSaved), Units.bytes(totals.life.bytesSaved), .plain))
        rows.append(("damaged", Units.count(totals.run.damaged), Units.count(totals.life.damaged), .plain))
        rows.append(("", "", "", .plain))
        rows.append(("evicted", evicted(totals.run), evicted(totals.life), .plain))
        for reason in Set(totals.run.evictions.keys).union(totals.life.evictions.keys).sorted() {
            rows.append(
                (
                    "  \(CacheText.reasons[reason] ?? reason)", Units.count(totals.run.evictions[reason] ?? 0),
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

    private func share(_ tally: CacheTotals.Tally, _ part: KeyPath<CacheTotals.Tally, Int>) -> String {
        guard tally.lookups > 0 else { return Units.count(tally[keyPath: part]) }
        let percent = Units.percent(tally[keyPath: part], of: tally.lookups)
        return "\(Units.count(tally[keyPath: part])) \(Fitting.pad(percent, to: Units.percentWidth, .trailing))"
    }

    private func evicted(_ tally: CacheTotals.Tally) -> String {
        Units.count(tally.evictions.values.reduce(0) { $0.addingReportingOverflow(max(0, $1)).partialValue })
    }
}

extension ClosedRange<Int> {
    fileprivate func clamped(_ value: Int) -> Int { Swift.min(upperBound, Swift.max(lowerBound, value)) }
}
