import BrowserCore
import ImageLoading
import Lists
import Raster
import Retrying

/// Draws a progress block on a terminal, ten times a second.
///
/// The summary with the failures stays, and with `--verbose` a line for each item.
struct ScreenReporter: StatefulReporter {
    var state: PrefetchScreenState
    let followsTransfers = true
    private let console: Console
    private let settings: PrefetchSettings
    private let isVerbose: Bool
    private let theme: LineTheme
    /// The height of the block on the terminal.
    private var drawnRows = 0

    init(console: Console, settings: PrefetchSettings) {
        self.console = console
        self.settings = settings
        isVerbose = settings.isVerbose
        theme = LineTheme(environment: settings.library.environment)
        state = PrefetchScreenState(
            title: Redaction.display(settings.heading), isASCII: settings.isASCII, perHost: settings.library.perHost)
        if settings.inspection != nil { state.fetchedWord = "checked" }
    }

    mutating func start(_ settings: PrefetchSettings, resumed: Int) {
        if let opening = settings.opening(resumed: resumed) { console.message(opening) }
    }

    mutating func lineRejected(_ line: Int, list: String, reason: String) {
        printAbove(Redaction.rejection(line, of: list, reason: reason))
    }

    mutating func interrupted() { printAbove(ItemLineText.interrupted) }

    mutating func hostChanged(_ event: HostEvent) {
        update(.hostNotice(host: event.host, text: event.change.stateText))
    }

    mutating func finished(_ item: ItemRecord, _ outcome: ItemOutcome) {
        keep(item, outcome)
        if isVerbose { printAbove(ItemLineText.line(item, outcome)) }
    }

    mutating func tick(_ tally: PrefetchTally) {
        record(tally)
        draw()
    }

    mutating func finish(_ tally: PrefetchTally) {
        record(tally)
        erase()
        let command = settings.retryCommand(after: tally)
        let naming: FailureNaming =
            isVerbose ? .none : settings.failedFile == nil ? .firstAndAdvice : .first
        let summary = PrefetchText.summary(state, retryCommand: command, naming: naming)
        (summary + tally.closing).forEach(console.message)
    }

    /// Removes the block before the process stops.
    mutating func suspend() { erase() }

    /// Starts a new block below what the shell has written.
    mutating func resume() { drawnRows = 0 }

    /// Prints a line above the block.
    private mutating func printAbove(_ line: String) {
        erase()
        console.message(line)
        draw()
    }

    private mutating func draw() {
        let (columns, rows) = console.terminalSize
        // The last column stays empty, because terminals differ in when they wrap.
        let size = GridSize(columns: max(1, columns - 1), rows: max(1, rows - 1))
        let frame = PrefetchScreenView.frame(state, size: size)
        console.progress(LineFrame.draw(frame, theme: theme))
        drawnRows = frame.size.rows
    }

    private mutating func erase() {
        console.progress(LineFrame.erase(drawnRows))
        drawnRows = 0
    }
}
