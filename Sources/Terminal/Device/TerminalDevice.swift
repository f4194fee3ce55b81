import AlcedoCTerminalGuard
import AlcedoScreen
import Glibc
import Raster
import TerminalGraphics

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
            consoleFont: environment.isLinuxConsole ? terminal.consoleFont : nil,
            substituteEntry: CursesScreen.substituteEntry(for: environment))
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

    /// Gives the restored terminal to what `body` runs, and takes it back; `.signal(.continued)` follows.
    package func lend(_ body: () -> Void) {
        guard connection != nil else { return }
        release()
        body()
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

// Acquiring and releasing the terminal.
extension TerminalDevice {
    func acquire() throws(TerminalError) {
        var original = terminal.original
        let restoration =
            settings.usesScreen ? TerminalModes.emergencyExit(erasesPictures: probe.environment.mayKnowKitty) : []
        let armed = alcedo_guard_arm(
            terminal.number, &original, restoration, restoration.count, wakeupPipe.writeEnd)
        guard armed == 0 else { throw .alreadyOpen }
        Self.isOpen = true
        startConnection()
    }

    /// Reacquires the terminal after a stop; its size and capabilities may have changed.
    func reacquire() {
        probe = Probe(
            environment: probe.environment, settings: settings, consoleFont: probe.consoleFont,
            substituteEntry: probe.substituteEntry)
        guard (try? acquire()) != nil else {
            events.yield(.signal(.hangup))
            return
        }
        applyWindowSize()
        events.yield(.signal(.continued))
    }

    /// Sets the modes, starts reading and writing, and sends the queries.
    private func startConnection() {
        terminal.enterRawMode(isWhole: settings.usesScreen)
        let connection = TerminalConnection(terminal: terminal, wakeupPipe: wakeupPipe) { [reports] in
            reports.yield($0)
        }
        self.connection = connection
        if settings.usesScreen {
            connection.enqueue([OutputQueue.Chunk(.text, TerminalModes.enter(mouse: settings.mouse))])
        }
        send(probe.queries)
        queryTmux()
    }

    /// Stops the connection and restores the terminal's modes and screen.
    func release() {
        guard let connection else { return }
        self.connection = nil
        connection.stop()
        let start = ContinuousClock.now
        let timeout = finalTimeout(at: start)
        let deadline = start + max(timeout, .milliseconds(150))
        if settings.usesScreen { writeFinal(restoration(after: connection.unfinished), until: deadline) }
        discardReplies(unsent: connection, until: min(deadline, .now + timeout))
        terminal.leaveRawMode()
        alcedo_guard_disarm()
        Self.isOpen = false
        acknowledgement = AcknowledgementTracker()
        responseTimes = ResponseTimes()
        probeSchedule = ProbeSchedule()
    }

    /// Returns how long to wait for outstanding replies; the guard ends the process 2 s after a signal.
    private func finalTimeout(at now: ContinuousClock.Instant) -> Duration {
        let latest = [probeSchedule.sentAt, acknowledgement.latest].compactMap { $0 }.max() ?? now
        let timeout = responseTimes.finalTimeout(
            after: now - latest, unacknowledged: acknowledgement.unacknowledgedBytes,
            isRemote: probe.environment.isRemote)
        return isTerminating ? min(timeout, .seconds(1)) : timeout
    }

    /// Returns the bytes that end a cut picture and a begun frame, then remove all pictures and leave the screen.
    private func restoration(after unfinished: [UInt8]?) -> [UInt8] {
        let ending = unfinished.map { $0 + (capabilities.synchronizedOutput ? ControlSequence.endUpdate.bytes : []) }
        return (ending ?? []) + ledger.removalOfAll
            + TerminalModes.exit(erasesPictures: probe.environment.mayKnowKitty)
    }

    // Past the deadline the terminal counts as stopped: its pending output is discarded to make room for these bytes.
    private func writeFinal(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) {
        var rest = bytes[...]
        while !rest.isEmpty, terminal.wait(for: Int32(POLLOUT), milliseconds: Self.milliseconds(until: deadline)) {
            guard let count = terminal.write(rest) else { return }
            rest = rest.dropFirst(count)
        }
        guard !rest.isEmpty else { return }
        terminal.discardOutput()
        // The terminal may have read less than was written: whatever it is in the middle of ends first.
        _ = terminal.write((PictureCut.cancellation + ControlSequence.endUpdate.bytes + bytes)[...])
    }

    /// Reads and discards the outstanding replies, which the shell would otherwise receive as input.
    ///
    /// Queries that were never sent get no reply.
    private func discardReplies(unsent connection: TerminalConnection, until deadline: ContinuousClock.Instant) {
        guard probeSchedule.isPending || acknowledgement.hasOutstanding else { return }
        var parser = InputParser()
        var missing = (
            attributes: probeSchedule.isPending && !connection.isUnsent(.queryAttributes) ? 1 : 0,
            statuses: acknowledgement.outstandingCount - (connection.isUnsent(.queryStatus) ? 1 : 0)
        )
        while missing.attributes > 0 || missing.statuses > 0,
            terminal.wait(for: Int32(POLLIN), milliseconds: Self.milliseconds(until: deadline)),
            let bytes = terminal.read(), !bytes.isEmpty
        {
            for case .reply(let reply) in parser.parse(bytes) {
                if case .attributes = reply { missing.attributes -= 1 }
                if case .status = reply { missing.statuses -= 1 }
            }
        }
        terminal.discardInput()
    }

    private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int {
        Int((deadline - ContinuousClock.now) / .milliseconds(1))
    }
}

/// The user's settings for the terminal, which override detection.
package struct TerminalSettings: Equatable, Sendable {
    /// The method to display pictures; by default it is detected.
    package var graphics: GraphicsMethod
    /// The cell size in pixels for terminals that do not report it; nil (the default) means 10×20.
    package var cell: CellSize?
    /// Whether mouse events are reported; false by default, so that the terminal can select text.
    package var mouse: Bool
    /// Whether frames are shown (the default); false only queries the terminal, as `doctor` and `show` do.
    package var usesScreen: Bool
    /// The colours, by default dark or light to suit the background; `NO_COLOR` takes precedence.
    package var theme: ThemeChoice

    package init(
        graphics: GraphicsMethod = .auto, cell: CellSize? = nil, mouse: Bool = false, usesScreen: Bool = true,
        theme: ThemeChoice = .auto
    ) {
        (self.graphics, self.cell, self.mouse, self.usesScreen) = (graphics, cell, mouse, usesScreen)
        self.theme = theme
    }
}
