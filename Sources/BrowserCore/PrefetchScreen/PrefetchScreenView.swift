import Raster

/// The progress lines as a frame, to be drawn in place above the prompt.
package enum PrefetchScreenView {
    /// Returns a frame of at most `size.rows` rows.
    ///
    /// If rows are short, the last failures have priority over transfers. The number of rows never shrinks.
    package static func frame(_ state: PrefetchScreenState, size: GridSize) -> Frame {
        let failures = min(state.failures.count, max(0, size.rows - 2))
        let head = state.hasNotices && size.rows > 2 + failures ? 3 : 2
        let transfers = max(0, min(state.board.height, size.rows - head - failures))
        let rows = min(size.rows, head + transfers + failures)
        var canvas = Canvas(size: GridSize(columns: size.columns, rows: rows), glyphs: state.glyphs)
        drawTotals(state, &canvas)
        canvas.write(counts(state), 3, 1, width: size.columns - 3)
        if head == 3 { drawNotice(state, &canvas) }
        for place in 0..<transfers {
            if let transfer = state.board.transfer(at: place) { draw(transfer, at: head + place, state, &canvas) }
        }
        let shown = state.failures.suffix(failures)
        let numberWidth = shown.map { String($0.line).count }.max() ?? 0
        for (offset, failure) in shown.enumerated() {
            draw(failure, numberWidth: numberWidth, at: head + transfers + offset, state, &canvas)
        }
        return canvas.frame
    }

    private static func drawTotals(_ state: PrefetchScreenState, _ canvas: inout Canvas) {
        let columns = canvas.frame.size.columns
        let titleWidth = min(24, max(12, columns / 5))
        let next = canvas.write(state.title, 1, 0, width: titleWidth, .heading, cut: .middle) + 3
        let facts = PrefetchText.totals(state)
        let kept = fitting(facts, room: columns - next - 7)
        let width = max(0, min(28, columns - next - kept.width - 4))
        let whole = state.isListComplete ? state.items : nil
        let bar = ProgressBar.thin(state.done, of: whole, at: state.now, width: width, glyphs: state.glyphs)
        canvas.write(bar, next, 0, width: width)
        canvas.write(kept, next + width + 3, 0, width: columns - next - width - 3)
    }

    /// Returns as many of the first facts as fit.
    private static func fitting(_ facts: [String], room: Int) -> StyledText {
        var line = StyledText()
        for fact in facts {
            guard line.width + 3 + CellWidth.of(fact) <= room else { break }
            line.append(StyledText(fact), gap: 3)
        }
        return line
    }

    /// Draws the latest host notice and the number of others.
    private static func drawNotice(_ state: PrefetchScreenState, _ canvas: inout Canvas) {
        guard let notice = state.notices.last else { return }
        let width = canvas.frame.size.columns - 3
        let others = state.notices.count - 1
        let more = others > 0 ? "   and \(others) more" : ""
        let room = width - CellWidth.of(state.glyphs.parked + "  " + notice.text + more) - 3
        let host = Fitting.truncateMiddle(notice.host, to: max(12, room), ellipsis: state.glyphs.ellipsis)
        let text = "\(state.glyphs.parked) \(host)   \(notice.text)\(more)"
        canvas.write(text, 3, 2, width: width, .warning, cut: .end)
    }

    private static func counts(_ state: PrefetchScreenState) -> StyledText {
        var line = StyledText()
        for (name, count, style) in PrefetchText.counts(state) {
            line.append(StyledText(name, .dim), gap: 3)
            line.append(" \(Units.count(count))", style)
        }
        return line
    }

    private static func draw(
        _ transfer: TransferBoard.Transfer, at row: Int, _ state: PrefetchScreenState, _ canvas: inout Canvas
    ) {
        let columns = TransferColumns(of: canvas.frame.size.columns)
        let status = ItemStatus.loading(
            received: transfer.received, total: transfer.total, rate: transfer.rate(at: state.now))
        let text = StatusText(status: status, now: state.now, glyphs: state.glyphs)
        canvas.write(text.field(width: columns.bar), 3, row, width: columns.bar)
        canvas.write(transfer.name, columns.bar + 4, row, width: columns.name, cut: .middle)
        let factStart = columns.bar + columns.name + 6
        canvas.write(text.fact(width: columns.fact), factStart, row, width: columns.fact)
        canvas.write(transfer.host, factStart + columns.fact + 2, row, width: columns.host, .dim, cut: .middle)
    }

    /// The columns of a transfer's row, given space in this order: name, rate, host.
    private struct TransferColumns {
        let bar, name, fact: Int
        var host = 0

        init(of columns: Int) {
            bar = columns >= 60 ? 14 : 6
            fact = columns >= 50 ? Units.bytesWidth + Units.rateWidth + 2 : Units.bytesWidth
            let room = max(0, columns - bar - fact - 6)
            name = min(32, room, max(16, room / 2))
            if room - name >= 10 { host = room - name - 2 }
        }
    }

    private static func draw(
        _ failure: PrefetchScreenState.Failure, numberWidth: Int, at row: Int, _ state: PrefetchScreenState,
        _ canvas: inout Canvas
    ) {
        let columns = canvas.frame.size.columns
        let reason = Fitting.truncate(failure.reason, to: max(12, columns / 3), ellipsis: state.glyphs.ellipsis)
        let number = Fitting.pad(String(failure.line), to: numberWidth, .trailing)
        let place = failure.line > 0 ? " line \(number)" : ""
        let start = canvas.write(state.glyphs.failed + place, 3, row, width: columns - 3, .failure) + 3
        let room = columns - start - CellWidth.of(reason) - 4
        let next = canvas.write(failure.location, start, row, width: max(0, room), cut: .middle)
        canvas.write(reason, next + 3, row, width: columns - next - 3, .failure)
    }
}
