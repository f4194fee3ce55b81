import BrowserCore
import CTerminalGuard
import Glibc
import Raster

/// The terminal as the program holds it: events out, frames in, everything given back at the end.
///
/// Nothing here waits for the terminal: a frame that cannot be written yet is replaced by the next one.
@MainActor
public final class TerminalDevice {
    /// What the terminal and the system tell, for one consumer, until `close()`.
    public let events = DirectStream<TerminalEvent>(limit: 8192)
    public internal(set) var capabilities: TerminalCapabilities
    /// How long the last picture took from the first byte to the terminal's word that it read it; nil before.
    public internal(set) var acknowledgementTime: Duration?

    let settings: TerminalSettings
    let variables: [String: String]
    let terminal: TerminalDescriptor
    let notices: NoticePipe
    let screen: CursesScreen?
    let reports = DirectStream<TerminalConnection.Report>()
    var connection: TerminalConnection?
    var window: WindowSize
    var probe: Probe
    var probing = ProbeRounds()
    var ledger = PictureLedger()
    var acknowledgement = Acknowledgement()
    var answerTimes = AnswerTimes()
    /// Whether a signal ends the process, so that the guard's alarm runs.
    var isEnding = false
    var themes: ThemeChoice
    var theme: Theme
    var latest: Presentation?
    /// Whether `latest` is not, or not wholly, on its way.
    var isWaiting = false

    /// Whether a device holds the process's terminal.
    static var isHeld = false

    /// A frame and the pictures on it.
    struct Presentation {
        var frame: Frame
        var pictures: [TerminalPicture]
    }

    /// Takes the terminal: raw mode, the alternate screen, the questions.
    ///
    /// - Parameters:
    ///   - path: the terminal; `/dev/tty`, the process's own, by default.
    ///   - variables: the environment's variables.
    /// - Throws: `.noTerminal`, `.incapable` and `.unknownTerminal` when there is none to work with, `.alreadyOpen`.
    public init(
        path: String = "/dev/tty", variables: [String: String], settings: TerminalSettings = TerminalSettings()
    ) throws(TerminalError) {
        let environment = TerminalEnvironment(variables)
        guard environment.isCapable || !settings.usesScreen else { throw .incapable(terminal: environment.terminal) }
        guard !Self.isHeld else { throw .alreadyOpen }
        self.settings = settings
        self.variables = variables
        themes = environment.noColor ? .monochrome : settings.theme
        theme = themes.suiting(nil)
        terminal = try TerminalDescriptor(path: path)
        notices = try NoticePipe()
        window = terminal.windowSize
        probe = Probe(
            environment: environment, settings: settings,
            consoleFont: environment.isLinuxConsole ? terminal.consoleFont : nil)
        capabilities = probe.capabilities(window: window)
        capabilities.themeBackground = theme.background
        screen =
            settings.usesScreen
            ? try CursesScreen(
                terminals: environment.databaseNames, size: window.grid, theme: theme,
                // GNU screen takes the parts of such a colour for other attributes.
                hasTrueColor: capabilities.hasTrueColorText)
            : nil
        try enter()
        listen()
    }

    isolated deinit { close() }

    /// The screen's size in cells.
    public var size: GridSize { window.grid }

    /// The probe's answers and decisions, name and value, for `doctor`.
    public var report: [(name: String, value: String)] { probe.report(window: window) }

    /// Whether the terminal still works on the last frame or its pictures; the next picture better waits.
    public var isBusy: Bool { isWaiting || acknowledgement.isDue || connection?.isBusy == true }

    /// Stops the program as control-Z should; returns when it runs again, with `.signal(.continued)` following.
    public func suspend() {
        guard connection != nil else { return }
        leave()
        alcedo_guard_stop()
        reenter()
    }

    /// Gives the terminal back as it was found; again is harmless.
    ///
    /// Takes no longer than 200 ms, also where the terminal takes nothing; up to 3 s where it answers slowly and answers
    /// are due, which would be typed into the shell.
    public func close() {
        leave()
        reports.finish()
        events.finish()
    }

    /// Makes the next frame write the whole screen, pictures too; the last frame is written again at once.
    public func invalidate() {
        screen?.invalidate()
        ledger.invalidate()
        isWaiting = latest != nil
        askTmux()
        compose()
    }

    /// Takes other colours, unless `NO_COLOR` forbids all.
    public func use(_ choice: ThemeChoice) {
        guard !probe.environment.noColor else { return }
        themes = choice
        adoptTheme()
    }

    private func listen() {
        Task { [weak self, reports] in
            for await report in reports { self?.handle(report) }
        }
    }
}
