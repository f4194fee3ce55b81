import BrowserCore
import ImageLoading
import Retrying

/// Lines for a pipe or a log: failures as they come, progress every 30 s or 10 %, then the summary.
struct PlainReporter: StatefulReporter {
    var state: PrefetchScreenState
    private let console: Console
    private let isQuiet: Bool
    private let retryCommand: String?
    private var lastTime = 0
    private var lastTenth = 0

    init(console: Console, settings: PrefetchSettings, isQuiet: Bool) {
        self.console = console
        self.isQuiet = isQuiet
        retryCommand = settings.retryCommand
        state = PrefetchScreenState(title: Redacted.text(settings.heading))
    }

    mutating func lineRejected(_ line: Int, list: String, reason: String) {
        console.message(Redacted.rejection(line, of: list, reason: reason))
    }

    func hostChanged(_ event: HostEvent) {
        if !isQuiet { console.message("host \(SafeText.clean(event.host))  \(event.change.text)") }
    }

    mutating func ended(_ item: ItemRecord, _ outcome: ItemOutcome) {
        keep(item, outcome)
        guard case .failed(let error) = outcome, !error.isTaskCancelled else { return }
        let place = item.line > 0 ? "line \(item.line)  " : ""
        console.message("failed  \(place)\(item.shown)  \(error.title)")
    }

    mutating func tick(milliseconds: Int, tally: PrefetchTally) {
        update(.tick(milliseconds: milliseconds))
        let tenth = state.isListComplete ? state.done * 10 / max(1, state.items) : 0
        guard !isQuiet, tenth > lastTenth || milliseconds - lastTime >= 30_000 else { return }
        lastTenth = tenth
        lastTime = milliseconds
        console.message(PrefetchText.plainLine(state))
    }

    mutating func finish(_ tally: PrefetchTally) {
        update(.tick(milliseconds: tally.milliseconds))
        guard !isQuiet else { return }
        PrefetchText.summary(state, retryCommand: retryCommand).forEach(console.message)
    }
}
