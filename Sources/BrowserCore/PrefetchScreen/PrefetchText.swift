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
