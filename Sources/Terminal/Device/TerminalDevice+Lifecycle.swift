import CTerminalGuard
import Glibc
import Raster

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
        probe = Probe(environment: probe.environment, settings: settings, consoleFont: probe.consoleFont)
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
        _ = terminal.write(bytes[...])
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
