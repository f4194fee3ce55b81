import BrowserCore
import CTerminalGuard
import Glibc
import Raster

/// The process's terminal: delivers input as events, shows frames, and restores the terminal when closed.
///
/// No call blocks on the terminal: a newer frame replaces one that could not be written yet.
@MainActor
package final class TerminalDevice {
    /// Input and system events, for one consumer, until `close()`.
    package let events = DirectStream<TerminalEvent>(limit: 8192)
    package internal(set) var capabilities: TerminalCapabilities
    /// The time from the last picture's first byte to its acknowledgement by the terminal; nil before the first.
    package internal(set) var acknowledgementTime: Duration?

    let settings: TerminalSettings
    let variables: [String: String]
    let terminal: TerminalDescriptor
    let wakeupPipe: WakeupPipe
    let screen: CursesScreen?
    let reports = DirectStream<TerminalConnection.Report>()
    var connection: TerminalConnection?
    var window: WindowSize
    var probe: Probe
    var probeSchedule = ProbeSchedule()
    var ledger = PictureLedger()
    var acknowledgement = AcknowledgementTracker()
    var responseTimes = ResponseTimes()
    /// Whether a signal asked the process to end: the guard's alarm is then running.
    var isTerminating = false
    var themes: ThemeChoice
    var theme: Theme
    var latest: Presentation?
    /// Whether `latest` is not fully enqueued yet.
    var hasPendingFrame = false

    /// Whether a device is open in this process.
    static var isOpen = false

    /// A frame and the pictures on it.
    struct Presentation {
        var frame: Frame
        var pictures: [TerminalPicture]
    }

    /// Opens the terminal: sets raw mode, enters the alternate screen and sends the probe's queries.
    ///
    /// - Parameters:
    ///   - path: the terminal's path; `/dev/tty`, the controlling terminal, by default.
    ///   - variables: the environment variables.
    /// - Throws: `.noTerminal`, `.incapable` or `.unknownTerminal` if there is no usable terminal; `.alreadyOpen`.
    package init(
        path: String = "/dev/tty", variables: [String: String], settings: TerminalSettings = TerminalSettings()
    ) throws(TerminalError) {
        let environment = TerminalEnvironment(variables)
        guard environment.isCapable || !settings.usesScreen else { throw .incapable(terminal: environment.terminal) }
        guard !Self.isOpen else { throw .alreadyOpen }
        self.settings = settings
        self.variables = variables
        themes = environment.noColor ? .monochrome : settings.theme
        theme = themes.theme(onBackground: nil)
        terminal = try TerminalDescriptor(path: path)
        wakeupPipe = try WakeupPipe()
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
                // GNU screen misreads the parameters of 24-bit colours as other attributes.
                hasTrueColor: capabilities.hasTrueColorText)
            : nil
        try acquire()
        listen()
    }

    isolated deinit { close() }

    /// The screen size in cells.
    package var size: GridSize { window.grid }

    /// The probe's replies and decisions as name and value, for `doctor`.
    package var report: [(name: String, value: String)] { probe.report(window: window) }

    /// Whether the terminal is still processing the last frame or its pictures, so that the next picture should wait.
    package var isBusy: Bool { hasPendingFrame || acknowledgement.isPending || connection?.isBusy == true }

    /// Stops the program like control-Z and returns when it runs again; `.signal(.continued)` follows.
    package func suspend() {
        guard connection != nil else { return }
        release()
        alcedo_guard_stop()
        reacquire()
    }

    /// Restores the terminal; further calls do nothing.
    ///
    /// Takes at most 200 ms even if the terminal reads nothing. If replies are outstanding and the terminal is slow,
    /// waits up to 3 s for them, because the shell would otherwise receive them as input.
    package func close() {
        release()
        reports.finish()
        events.finish()
    }

    /// Redraws the last frame completely, including its pictures.
    package func invalidate() {
        screen?.invalidate()
        ledger.invalidate()
        hasPendingFrame = latest != nil
        queryTmux()
        compose()
    }

    /// Changes the colours, unless `NO_COLOR` is set.
    package func setTheme(_ choice: ThemeChoice) {
        guard !probe.environment.noColor else { return }
        themes = choice
        applyTheme()
    }

    private func listen() {
        Task { [weak self, reports] in
            for await report in reports { self?.handle(report) }
        }
    }
}
