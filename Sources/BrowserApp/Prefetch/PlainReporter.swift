import BrowserCore
import ImageLoading
import Lists
import Retrying

/// Prints lines for a pipe or a log: failures at once, progress every 30 s or 10 %, then the summary.
struct PlainReporter: StatefulReporter {
    var state: PrefetchScreenState
    private let console: Console
    private let isQuiet, isVerbose: Bool
    private let settings: PrefetchSettings
    private var lastTime = 0
    private var lastTenth = 0

    init(console: Console, settings: PrefetchSettings, isQuiet: Bool) {
        self.console = console
        self.isQuiet = isQuiet
        isVerbose = settings.isVerbose
        self.settings = settings
        state = PrefetchScreenState(
            title: Redaction.display(settings.heading), isASCII: settings.isASCII)
        if settings.inspection != nil { state.fetchedWord = "checked" }
    }

    func start(_ settings: PrefetchSettings, resumed: Int) {
        if !isQuiet, let opening = settings.opening(resumed: resumed) { console.message(opening) }
    }

    mutating func lineRejected(_ line: Int, list: String, reason: String) {
        console.message(Redaction.rejection(line, of: list, reason: reason))
    }

    func hostChanged(_ event: HostEvent) {
        if !isQuiet { console.message(event.line) }
    }

    mutating func interrupted() {
        if !isQuiet { console.message(ItemLineText.interrupted) }
    }

    mutating func finished(_ item: ItemRecord, _ outcome: ItemOutcome) {
        keep(item, outcome)
        if case .planned = outcome { console.output(Redaction.display(item.entry.location)) }
        if isVerbose || outcome.failure != nil { console.message(ItemLineText.line(item, outcome)) }
    }

    mutating func tick(_ tally: PrefetchTally) {
        record(tally)
        let tenth = state.isListComplete ? state.done * 10 / max(1, state.items) : 0
        guard !isQuiet, tenth > lastTenth || tally.milliseconds - lastTime >= 30_000 else { return }
        lastTenth = tenth
        lastTime = tally.milliseconds
        console.message(PrefetchText.plainLine(state))
    }

    mutating func finish(_ tally: PrefetchTally) {
        record(tally)
        guard !isQuiet else {
            tally.failedListText.map(console.message)
            return
        }
        let command = settings.retryCommand(after: tally)
        (PrefetchText.summary(state, retryCommand: command) + tally.closing).forEach(console.message)
    }
}

extension PrefetchTally {
    /// The remarks below the summary.
    var closing: [String] {
        let remarks: [(applies: Bool, text: String)] = [
            (items + rejected + elsewhere + unreadLists == 0 && !isCutShort, "the lists name no pictures"),
            (rejected > 0, "\(counted(rejected, "line")) of the lists could not be used"),
            (noted > 0, "\(counted(noted, "time")) a part of a line was left out"),
            (unreadLists > 0, "\(counted(unreadLists, "list")) could not be read completely"),
            (cancelled > 0, "\(counted(cancelled, "picture")) skipped"),
            (elsewhere > 0, "\(counted(elsewhere, "picture")) of other shards"),
            (failedTooOften, "aborted: more failures than --max-failures allows; the same command resumes here"),
            (keepsNothing, "the cache cannot be written; alcedo doctor shows its folder"),
            (shardProblem != nil, "aborted: \(shardProblem ?? ""); the same command resumes here"),
            (failedListText != nil, failedListText ?? ""),
            (reportProblem != nil, "there is no report: \(reportProblem ?? "")"),
            (isOutgrown, "the cache is too small: the first pictures were evicted; raise max-size in [cache]"),
            (signal != nil, "interrupted; the same command resumes here"),
        ]
        return remarks.filter(\.applies).map { "   " + $0.text }
    }

    /// Why the list of failed items is incomplete.
    var failedListText: String? {
        failedListProblem.map { "the list of failed pictures is incomplete: \($0)" }
    }

    private func counted(_ number: Int, _ name: String) -> String {
        "\(Units.count(number)) \(name)\(number == 1 ? "" : "s")"
    }
}

extension HostEvent {
    /// The change as a line of text.
    var line: String { "host \(SafeText.clean(host))  \(change.text)" }
}
