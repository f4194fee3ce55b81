import BrowserCore
import Glibc
import Raster

// What the terminal and the system tell.
extension TerminalDevice {
    func handle(_ report: TerminalConnection.Report) {
        switch report {
        case .events(let events): for event in events { handle(event) }
        case .signals(let signals): for signal in signals.sorted() { handle(signal: signal) }
        case .drained: compose()
        case .ended: output.yield(.signal(.hangup))
        }
    }

    private func handle(_ event: TerminalEvent) {
        output.yield(event)
        switch event {
        case .reply(.status): handleAcknowledgement()
        case .reply(let reply): handle(reply)
        default: break
        }
    }

    private func handle(signal: Int32) {
        switch signal {
        case SIGINT: output.yield(.signal(.interrupt))
        case SIGTERM: output.yield(.signal(.terminate))
        case SIGHUP: output.yield(.signal(.hangup))
        case SIGTSTP: suspend()
        case SIGCONT: handleContinuation()
        case SIGWINCH: handleResize()
        default: break
        }
    }

    // Whoever stopped us may have used the terminal and set its modes since.
    private func handleContinuation() {
        guard connection != nil else { return }
        leave()
        reenter()
    }

    private func handleAcknowledgement() {
        guard let duration = acknowledgement.receive(at: .now) else { return }
        acknowledgementTime = duration
        compose()
    }
}

// MARK: The window

extension TerminalDevice {
    private func handleResize() {
        // A window that shrank and grew again before we looked has lost what was outside.
        guard terminal.windowSize != window else { return invalidate() }
        adoptWindow()
        askSizes()
    }

    /// Takes the window's size as it is now; the last frame no longer fits.
    func adoptWindow() {
        window = terminal.windowSize
        screen?.resize(to: window.grid)
        ledger.invalidate()
        latest = nil
        isWaiting = false
        if probe.replies.isEmpty { capabilities = probe.capabilities(window: window) }
        output.yield(.resized(window.grid, capabilities.cell))
    }
}

// MARK: Questions and answers

extension TerminalDevice {
    /// Sends questions unless answers are due already, and expects answers for 2 s at most.
    func ask(_ questions: [ControlSequence]) {
        guard let connection, probing.wish() else { return }
        connection.enqueue([OutputQueue.Chunk(.text, questions.bytes)])
        connection.expectReplies(true)
        Task { [weak connection] in
            try? await Task.sleep(for: .seconds(2))
            connection?.expectReplies(false)
        }
    }

    private func askSizes() {
        if !probing.isDue { probe.beginSizeRound() }
        ask(probe.sizeQuestions)
    }

    private func handle(_ reply: TerminalReply) {
        probe.receive(reply)
        guard probe.isComplete else { return }
        if case .attributes = reply, probing.isDue {
            connection?.expectReplies(false)
            if probing.end() { return askSizes() }
        }
        learn()
    }

    private func learn() {
        let known = probe.capabilities(window: window)
        guard known != capabilities else { return }
        let hasOtherCells = known.cell != capabilities.cell
        capabilities = known
        adoptTheme()
        output.yield(.capabilitiesChanged(known))
        if hasOtherCells { output.yield(.resized(window.grid, known.cell)) }
    }

    func adoptTheme() {
        let suiting = themes.suiting(capabilities.background)
        guard suiting != theme else { return }
        theme = suiting
        screen?.use(suiting)
        invalidate()
    }
}
