import BrowserCore
import ImageLoading
import Lists
import Raster
import Retrying

/// The progress block on a terminal: drawn in place, ten times a second; failures, words on hosts and the summary stay.
struct ScreenReporter: StatefulReporter {
    var state: PrefetchScreenState
    let followsTransfers = true
    private let console: Console
    private let settings: PrefetchSettings
    private let isVerbose: Bool
    private let theme: LineTheme
    private var drawnRows = 0

    init(console: Console, settings: PrefetchSettings) {
        self.console = console
        self.settings = settings
        isVerbose = settings.isVerbose
        theme = LineTheme(environment: settings.library.environment)
        state = PrefetchScreenState(
            title: Redaction.display(settings.heading), isASCII: settings.isASCII, perHost: settings.library.perHost)
    }

    mutating func start(_ settings: PrefetchSettings, resumed: Int) {
        if let opening = settings.opening(resumed: resumed) { console.message(opening) }
    }

    mutating func lineRejected(_ line: Int, list: String, reason: String) {
        say(Redaction.rejection(line, of: list, reason: reason))
    }

    mutating func interrupted() { say(ItemLineText.interrupted) }

    mutating func hostChanged(_ event: HostEvent) { say(event.line) }

    mutating func ended(_ item: ItemRecord, _ outcome: ItemOutcome) {
        keep(item, outcome)
        if isVerbose || outcome.failure != nil { say(ItemLineText.line(item, outcome)) }
    }

    mutating func tick(milliseconds: Int, tally: PrefetchTally) {
        update(.tick(milliseconds: milliseconds))
        draw()
    }

    mutating func finish(_ tally: PrefetchTally) {
        update(.tick(milliseconds: tally.milliseconds))
        erase()
        let command = settings.retryCommand(after: tally)
        (PrefetchText.summary(state, retryCommand: command) + tally.closing).forEach(console.message)
    }

    /// The shell has written below the block, which is drawn anew there.
    mutating func resume() { drawnRows = 0 }

    /// A line above the block.
    private mutating func say(_ line: String) {
        erase()
        console.message(line)
        draw()
    }

    private mutating func draw() {
        let (columns, rows) = console.terminalSize
        // The last column stays free: terminals differ in when they wrap.
        let size = GridSize(columns: max(1, columns - 1), rows: max(1, rows - 1))
        let frame = PrefetchScreenView.frame(state, size: size)
        console.progress(LineFrame.redraw(frame, over: drawnRows, theme: theme))
        drawnRows = frame.size.rows
    }

    private mutating func erase() {
        guard drawnRows > 0 else { return }
        console.progress(LineFrame.erase(drawnRows))
        drawnRows = 0
    }
}
