import CTerminalGuard
import Glibc
import Raster

// Taking the terminal and giving it back.
extension TerminalDevice {
    func enter() throws(TerminalError) {
        var original = terminal.original
        let leaving =
            settings.usesScreen ? TerminalModes.abandon(erasesPictures: probe.environment.mayKnowKitty) : []
        let armed = alcedo_guard_arm(terminal.number, &original, leaving, leaving.count, notices.writeEnd)
        guard armed == 0 else { throw .alreadyOpen }
        Self.isHeld = true
        take()
    }

    /// Takes the terminal back after a stop; it may have another size, another look, or be another terminal.
    func reenter() {
        probe = Probe(environment: probe.environment, settings: settings, consoleFont: probe.consoleFont)
        guard (try? enter()) != nil else {
            events.yield(.signal(.hangup))
            return
        }
        adoptWindow()
        events.yield(.signal(.continued))
    }

    /// Sets the modes and begins to read, write and ask.
    private func take() {
        terminal.enterRawMode(isWhole: settings.usesScreen)
        let connection = TerminalConnection(terminal: terminal, notices: notices) { [reports] in reports.yield($0) }
        self.connection = connection
        if settings.usesScreen {
            connection.enqueue([OutputQueue.Chunk(.text, TerminalModes.enter(mouse: settings.mouse))])
        }
        ask(probe.questions)
        askTmux()
    }

    func leave() {
        guard let connection else { return }
        self.connection = nil
        connection.stop()
        let start = ContinuousClock.now
        let patience = lastPatience(at: start)
        let deadline = start + max(patience, .milliseconds(150))
        if settings.usesScreen { writeLast(lastWords(after: connection.unfinished), until: deadline) }
        takeLastReplies(unsent: connection, until: min(deadline, .now + patience))
        terminal.leaveRawMode()
        alcedo_guard_disarm()
        Self.isHeld = false
        acknowledgement = Acknowledgement()
        answerTimes = AnswerTimes()
        probing = ProbeRounds()
    }

    /// How long to wait for answers; the guard ends the process 2 s after a signal.
    private func lastPatience(at now: ContinuousClock.Instant) -> Duration {
        let latest = [probing.askedAt, acknowledgement.latest].compactMap { $0 }.max() ?? now
        let patience = answerTimes.last(
            after: now - latest, unanswered: acknowledgement.unansweredBytes, isRemote: probe.environment.isRemote)
        return isEnding ? min(patience, .seconds(1)) : patience
    }

    /// What a picture half sent would swallow comes after its end; a frame that was begun is ended.
    private func lastWords(after unfinished: [UInt8]?) -> [UInt8] {
        let ending = unfinished.map { $0 + (capabilities.synchronizedOutput ? ControlSequence.endUpdate.bytes : []) }
        return (ending ?? []) + ledger.wholeRemoval
            + TerminalModes.leave(erasesPictures: probe.environment.mayKnowKitty)
    }

    // Past the deadline the terminal is taken for stopped: its jam is thrown away, and the last words must fit then.
    private func writeLast(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) {
        var rest = bytes[...]
        while !rest.isEmpty, terminal.wait(for: Int32(POLLOUT), milliseconds: Self.milliseconds(until: deadline)) {
            guard let count = terminal.write(rest) else { return }
            rest = rest.dropFirst(count)
        }
        guard !rest.isEmpty else { return }
        terminal.discardOutput()
        _ = terminal.write(bytes[...])
    }

    /// Reads the answers that are due, which would be typed into the shell otherwise.
    ///
    /// Questions that were not sent get none.
    private func takeLastReplies(unsent connection: TerminalConnection, until deadline: ContinuousClock.Instant) {
        guard probing.isDue || acknowledgement.isOwed else { return }
        var parser = InputParser()
        var missing = (
            attributes: probing.isDue && !connection.isUnsent(.askAttributes) ? 1 : 0,
            statuses: acknowledgement.owed - (connection.isUnsent(.askStatus) ? 1 : 0)
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
