import Raster

/// How the cache does: look-ups by what answered them, what that saved, and what had to go.
struct CacheTotalsPanel {
    let totals: CacheTotals
    let layout: CacheScreenLayout

    private static let labelWidth = 22
    private static let valueWidth = 14

    func draw(_ canvas: inout Canvas) {
        var line = layout.table.row
        for (label, run, life, style) in rows {
            guard line < layout.table.row + layout.table.rows else { return }
            canvas.write(label, 3, line, width: Self.labelWidth, style)
            let end = 3 + Self.labelWidth + Self.valueWidth * 2
            canvas.write(StyledText(run, style), endingAt: end - Self.valueWidth, line, width: Self.valueWidth)
            // What has no figure of this run may take its room.
            let room = run.isEmpty ? Self.valueWidth * 2 : Self.valueWidth
            canvas.write(StyledText(life, style), endingAt: end, line, width: room)
            line += 1
        }
    }

    private var rows: [(label: String, run: String, life: String, style: Style)] {
        let answers: [(String, KeyPath<CacheTotals.Tally, Int>)] = [
            ("memory", \.memory), ("disk", \.disk), ("revalidated", \.revalidated), ("missed", \.missed),
        ]
        var rows = [("look-ups", "this run", "all runs", Style.dim)]
        rows += answers.map { ($0.0, share(totals.run, $0.1), share(totals.life, $0.1), Style.plain) }
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
