import AlcedoScreen
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

/// How a summary names failures.
package enum FailureNaming: Sendable {
    case none
    /// Names the first failures of each kind.
    case first
    /// Names the first failures of each kind and how to list all of them.
    case firstAndAdvice
}

/// The texts about a prefetch, also for outputs that are not a terminal.
package enum PrefetchText {
    /// Returns one line of progress for a pipe or a log.
    package static func plainLine(_ state: PrefetchScreenState) -> String {
        let counts = counts(state).map { "\($0.name) \(Units.count($0.count))" }
        let rate = state.rates.bytes.map { [Units.rate($0)] } ?? []
        let left = state.secondsLeft.map { ["\(Units.duration(seconds: $0)) left"] } ?? []
        return "\(state.title): \(progress(state))"
            + ([""] + counts + rate + left).joined(separator: ", ")
    }

    /// Returns the lines that remain at the end: amounts by source, duration, failures and how to retry them.
    ///
    /// - Parameters:
    ///   - retryCommand: shown only if something failed.
    ///   - naming: how failures are named, for outputs that did not report each of them.
    package static func summary(
        _ state: PrefetchScreenState, retryCommand: String? = nil, naming: FailureNaming = .none
    ) -> [String] {
        let time = Units.duration(milliseconds: state.elapsed)
        var lines = ["\(state.title)   \(Units.count(state.done)) of \(Units.count(state.items)) in \(time)"]
        lines.append("   " + counts(state).map { "\($0.name) \(Units.count($0.count))" }.joined(separator: "   "))
        lines.append("   " + volume(state))
        guard state.failed > 0 else { return lines }
        for (text, reason) in reasons(state) {
            lines.append("   \(state.glyphs.failed) \(Units.count(reason.count)) \(state.glyphs.times) \(text)")
            lines += names(reason, under: text, naming).map { "       " + $0 }
        }
        if let retryCommand { lines.append("   try those again: \(retryCommand)") }
        return lines
    }

    /// Returns the facts at the right of the total bar, the most important first.
    static func totals(_ state: PrefetchScreenState) -> [String] {
        let total = Units.count(state.items)
        let share = state.isListComplete ? Units.percent(state.done, of: state.items) : "reading"
        let files = state.rates.items.map { "\(Units.count(Int($0.rounded()))) files/s" } ?? ""
        return [
            reserve(Units.count(state.done), total.count) + " of " + total,
            reserve(share, Units.percentWidth),
            reserve(files, 11),
            reserve(state.rates.bytes.map { Units.rate($0) } ?? "", Units.rateWidth),
            state.secondsLeft.map { "\(Units.duration(seconds: $0)) left" } ?? "",
        ]
    }

    /// Returns the number of fetched items, and the other counts that are not zero.
    static func counts(_ state: PrefetchScreenState) -> [(name: String, count: Int, style: Style)] {
        let all: [(name: String, count: Int, style: Style)] = [
            ("hits", state.count(of: .hit), .plain), ("revalidated", state.count(of: .revalidated), .plain),
            ("duplicates", state.count(of: .duplicate), .plain), ("skipped", state.count(of: .skipped), .plain),
            ("to fetch", state.count(of: .planned), .plain),
            ("failed", state.failed, .failure), ("retried", state.retried, .warning),
            ("waiting", state.waitingCount, .warning),
        ]
        return [(state.fetchedWord, state.count(of: .fetched), .ok)] + all.filter { $0.count > 0 }
    }

    /// Right-aligns a value in its field; a wider one stays whole.
    private static func reserve(_ text: String, _ width: Int) -> String {
        Fitting.pad(text, to: max(width, CellWidth.of(text)), .trailing)
    }

    private static func progress(_ state: PrefetchScreenState) -> String {
        let counts = "\(Units.count(state.done)) of \(Units.count(state.items))"
        return state.isListComplete ? "\(counts) (\(Units.percent(state.done, of: state.items)))" : counts
    }

    private static func volume(_ state: PrefetchScreenState) -> String {
        let seconds = Double(state.elapsed) / 1000
        let rate =
            seconds > 0 && state.receivedBytes > 0
            ? ", \(Units.rate(Int(min(Double(state.receivedBytes) / seconds, 1e15))))" : ""
        let saved = state.savedBytes > 0 ? "; the cache saved \(Units.bytes(state.savedBytes))" : ""
        return "\(Units.bytes(state.receivedBytes)) transferred\(rate)\(saved)"
    }

    /// Returns the first failures of a kind and the number of the others.
    ///
    /// Failures under the heading of other reasons include their own reason.
    private static func names(
        _ reason: PrefetchScreenState.Reason, under heading: String, _ naming: FailureNaming
    ) -> [String] {
        guard naming != .none else { return [] }
        let isMixed = heading == PrefetchScreenState.otherReasons
        let names = reason.first.map { failure in
            let place = failure.line > 0 ? "line \(failure.line)  " : ""
            return place + failure.location + (isMixed ? "  \(failure.reason)" : "")
        }
        let others = reason.count - names.count
        guard others > 0 else { return names }
        let advice = naming == .firstAndAdvice ? "; --failed FILE writes all of them to a list" : ""
        return names + ["and \(Units.count(others)) more\(advice)"]
    }

    /// Returns the kinds of failures, the most frequent first, the heading of other reasons last.
    private static func reasons(_ state: PrefetchScreenState) -> [(key: String, value: PrefetchScreenState.Reason)] {
        let rank = { (reason: (key: String, value: PrefetchScreenState.Reason)) in
            reason.key == PrefetchScreenState.otherReasons ? 0 : reason.value.count
        }
        return state.reasons.sorted { (rank($1), $0.key) < (rank($0), $1.key) }
    }
}
