import BrowserCore
import ImageLoading
import Raster

/// The progress block on a terminal: drawn in place, ten times a second; only the summary stays.
struct ScreenReporter: StatefulReporter {
    var state: PrefetchScreenState
    private let console: Console
    private let retryCommand: String?
    private let theme: LineTheme
    private var drawnRows = 0

    init(console: Console, settings: PrefetchSettings) {
        self.console = console
        retryCommand = settings.retryCommand
        theme = LineTheme(environment: settings.library.environment)
        state = PrefetchScreenState(title: Redacted.text(settings.heading))
    }

    mutating func lineRejected(_ line: Int, list: String, reason: String) {
        erase()
        console.message(Redacted.rejection(line, of: list, reason: reason))
        draw()
    }

    mutating func ended(_ item: ItemRecord, _ outcome: ItemOutcome) { keep(item, outcome) }

    mutating func tick(milliseconds: Int, tally: PrefetchTally) {
        update(.tick(milliseconds: milliseconds))
        draw()
    }

    mutating func finish(_ tally: PrefetchTally) {
        update(.tick(milliseconds: tally.milliseconds))
        erase()
        PrefetchText.summary(state, retryCommand: retryCommand).forEach(console.message)
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
