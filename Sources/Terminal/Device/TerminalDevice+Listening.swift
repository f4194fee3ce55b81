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
        case .ended: events.yield(.signal(.hangup))
        }
    }

    private func handle(_ event: TerminalEvent) {
        events.yield(event)
        switch event {
        case .reply(.status): handleAcknowledgement()
        case .reply(let reply): handle(reply)
        case .focus(true): redrawPassedPictures()
        default: break
        }
    }

    private func handle(signal: Int32) {
        if [SIGINT, SIGTERM, SIGHUP].contains(signal) { isEnding = true }
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

    // Whoever stopped us may have used the terminal and set its modes since.
    private func handleContinuation() {
        guard connection != nil else { return }
        leave()
        reenter()
    }

    private func handleAcknowledgement() {
        let duration = acknowledgement.receive(at: .now, &answerTimes)
        expectWhatIsDue()
        guard let duration else { return }
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
        askTmux()
        askSizes()
    }

    // A multiplexer that showed something else meanwhile has drawn over what it does not know of.
    private func redrawPassedPictures() {
        guard capabilities.passesThrough, latest?.pictures.isEmpty == false else { return }
        ledger.invalidate()
        isWaiting = true
        compose()
    }

    /// The last frame no longer fits; another one is about to come.
    private func forgetPictures() {
        ledger.invalidate()
        latest = nil
        isWaiting = false
    }

    /// Takes the window's size as it is now; the last frame no longer fits.
    func adoptWindow() {
        window = terminal.windowSize
        screen?.resize(to: window.grid)
        forgetPictures()
        if probe.replies.isEmpty { capabilities = probe.capabilities(window: window) }
        events.yield(.resized(window.grid, capabilities.cell))
    }
}

// MARK: Questions and answers

extension TerminalDevice {
    /// Sends questions unless answers are due already.
    func ask(_ questions: [ControlSequence]) {
        guard let connection, !questions.isEmpty, probing.wish(at: .now) else { return }
        connection.enqueue([OutputQueue.Chunk(.text, questions.bytes)])
        expectWhatIsDue()
    }

    /// Has the input read with answers in mind as long as any may come.
    func expectWhatIsDue() { connection?.expectReplies(probing.isDue || acknowledgement.isOwed) }

    private func askSizes() {
        if !probing.isDue { probe.beginSizeRound() }
        ask(probe.sizeQuestions)
    }

    /// Has tmux tell where the pane is and what may pass; nothing waits for it.
    func askTmux() {
        guard probe.environment.multiplexer == .tmux, connection != nil else { return }
        probe.beginTmuxRound()
        // Until the answer comes nothing may pass: it would stand in another pane.
        if capabilities.passesThrough { learn() }
        Task { [weak self, variables] in
            let facts = await TmuxQuestion.ask(variables)
            self?.learn(facts)
        }
    }

    private func learn(_ facts: TmuxFacts?) {
        probe.receive(facts)
        guard probe.isComplete else { return }
        learn()
    }

    private func handle(_ reply: TerminalReply) {
        probe.receive(reply)
        guard probe.isComplete else { return }
        if case .attributes = reply, let askedAt = probing.askedAt {
            answerTimes.note(.now - askedAt)
            let isWishedAgain = probing.end()
            expectWhatIsDue()
            if isWishedAgain { return askSizes() }
        }
        learn()
    }

    private func learn() {
        var known = probe.capabilities(window: window)
        known.themeBackground = themes.suiting(known.background).background
        guard known != capabilities else { return }
        let hasOtherCells = known.cell != capabilities.cell
        let isElsewhere =
            known.passesThrough != capabilities.passesThrough
            || known.passesThrough && known.pictureOrigin != capabilities.pictureOrigin
        // One made of characters would be seen wherever one of pixels leaves a part of its cells free.
        let drawsOtherwise = known.graphics.method != capabilities.graphics.method && latest?.pictures.isEmpty == false
        capabilities = known
        adoptTheme()
        // Pictures that were laid out by another cell reach beyond what is known as theirs.
        if isElsewhere || hasOtherCells || drawsOtherwise {
            _ = connection?.dropImages()
            screen?.invalidate()
            forgetPictures()
        }
        events.yield(.capabilitiesChanged(known))
        if hasOtherCells { events.yield(.resized(window.grid, known.cell)) }
    }

    func adoptTheme() {
        let suiting = themes.suiting(capabilities.background)
        let hasTrueColor = capabilities.hasTrueColorText
        guard suiting != theme || screen.map({ $0.hasTrueColor != hasTrueColor }) ?? false else { return }
        theme = suiting
        capabilities.themeBackground = suiting.background
        screen?.use(suiting, hasTrueColor: hasTrueColor)
        invalidate()
    }
}
