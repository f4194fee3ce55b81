import AlcedoScreen
import Glibc
import Raster
import TerminalGraphics

// Handling input, signals and replies.
extension TerminalDevice {
    func handle(_ report: TerminalConnection.Report) {
        switch report {
        case .events(let events): for event in events { handle(event) }
        case .signals(let signals): for signal in signals.sorted() { handle(signal: signal) }
        case .drained: compose()
        case .disconnected: events.yield(.signal(.hangup))
        }
    }

    private func handle(_ event: TerminalEvent) {
        events.yield(event)
        switch event {
        case .reply(.status): handleAcknowledgement()
        case .reply(let reply): handle(reply)
        case .focus(true): redrawPassthroughPictures()
        default: break
        }
    }

    private func handle(signal: Int32) {
        if [SIGINT, SIGTERM, SIGHUP].contains(signal) { isTerminating = true }
        switch signal {
        case SIGINT: events.yield(.signal(.interrupt))
        case SIGTERM: events.yield(.signal(.terminate))
        case SIGHUP: events.yield(.signal(.hangup))
        case SIGTSTP: suspend()
        case SIGCONT: handleContinuation()
        case SIGWINCH: handleResize()
        default: break
        }
    }

    // While the process was stopped, another program may have changed the terminal's modes.
    private func handleContinuation() {
        guard connection != nil else { return }
        release()
        reacquire()
    }

    private func handleAcknowledgement() {
        let duration = acknowledgement.receive(at: .now, &responseTimes)
        updateReplyExpectation()
        guard let duration else { return }
        acknowledgementTime = duration
        compose()
    }
}

// MARK: The window

extension TerminalDevice {
    private func handleResize() {
        // A window that shrank and grew back between two checks has lost the cells that were outside.
        guard terminal.windowSize != window else { return invalidate() }
        applyWindowSize()
        queryTmux()
        querySizes()
    }

    // A multiplexer that showed another pane meanwhile has overwritten pictures it does not know about.
    private func redrawPassthroughPictures() {
        guard capabilities.passesThrough, latest?.pictures.isEmpty == false else { return }
        ledger.invalidate()
        hasPendingFrame = true
        compose()
    }

    /// Forgets the last frame, which no longer fits; the next one is about to arrive.
    private func discardFrame() {
        ledger.invalidate()
        latest = nil
        hasPendingFrame = false
    }

    /// Reads the current window size and discards the last frame.
    func applyWindowSize() {
        window = terminal.windowSize
        screen?.resize(to: window.grid)
        discardFrame()
        if probe.replies.isEmpty { capabilities = probe.capabilities(window: window) }
        events.yield(.resized(window.grid, capabilities.cell))
    }
}

// MARK: Queries and replies

extension TerminalDevice {
    /// Sends queries, unless replies are already outstanding.
    func send(_ queries: [ControlSequence]) {
        guard let connection, !queries.isEmpty, probeSchedule.request(at: .now) else { return }
        connection.enqueue([OutputQueue.Chunk(.text, queries.bytes)])
        updateReplyExpectation()
    }

    /// Tells the connection whether a reply may arrive, which lengthens the timeout of a lone `ESC`.
    func updateReplyExpectation() {
        connection?.expectReplies(probeSchedule.isPending || acknowledgement.hasOutstanding)
    }

    private func querySizes() {
        if !probeSchedule.isPending { probe.beginSizeRound() }
        send(probe.sizeQueries)
    }

    /// Asks tmux in the background for the pane's position and the sequences that it passes through.
    func queryTmux() {
        guard probe.environment.multiplexer == .tmux, connection != nil else { return }
        probe.beginTmuxRound()
        // Until tmux replies, nothing may pass through: it would appear in another pane.
        if capabilities.passesThrough { updateCapabilities() }
        Task { [weak self, variables] in
            let facts = await TmuxQuery.run(variables)
            self?.receive(facts)
        }
    }

    private func receive(_ facts: TmuxFacts?) {
        probe.receive(facts)
        guard probe.isComplete else { return }
        updateCapabilities()
    }

    private func handle(_ reply: TerminalReply) {
        probe.receive(reply)
        guard probe.isComplete else { return }
        if case .attributes = reply, let sentAt = probeSchedule.sentAt {
            responseTimes.record(.now - sentAt)
            let isRequestedAgain = probeSchedule.finish()
            updateReplyExpectation()
            if isRequestedAgain { return querySizes() }
        }
        updateCapabilities()
    }

    private func updateCapabilities() {
        var known = probe.capabilities(window: window)
        known.themeBackground = themes.theme(onBackground: known.background).background
        guard known != capabilities else { return }
        let hasOtherCells = known.cell != capabilities.cell
        let hasMoved =
            known.passesThrough != capabilities.passesThrough
            || known.passesThrough && known.pictureOrigin != capabilities.pictureOrigin
        // A picture of characters would show through wherever one of pixels does not fill its cells.
        let hasOtherMethod = known.graphics.method != capabilities.graphics.method && latest?.pictures.isEmpty == false
        capabilities = known
        applyTheme()
        // Pictures laid out with another cell size cover more cells than recorded.
        if hasMoved || hasOtherCells || hasOtherMethod {
            _ = connection?.dropImages()
            screen?.invalidate()
            discardFrame()
        }
        events.yield(.capabilitiesChanged(known))
        if hasOtherCells { events.yield(.resized(window.grid, known.cell)) }
    }

    func applyTheme() {
        let suitable = themes.theme(onBackground: capabilities.background)
        let hasTrueColor = capabilities.hasTrueColorText
        guard suitable != theme || screen.map({ $0.hasTrueColor != hasTrueColor }) ?? false else { return }
        theme = suitable
        capabilities.themeBackground = suitable.background
        screen?.setTheme(suitable, hasTrueColor: hasTrueColor)
        invalidate()
    }
}
