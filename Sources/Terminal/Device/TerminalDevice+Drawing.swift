import BrowserCore
import Raster

// Frames on their way to the terminal.
extension TerminalDevice {
    /// Shows `frame` with `pictures` over it, now or as soon as the terminal has taken what went before.
    ///
    /// A newer frame replaces one that still waits, and cuts a picture that is being sent and that it does not show.
    /// A picture hides the frame's cells in its rectangle; one that is not wholly inside the frame and the window, or
    /// touches the last row, is left out. Complexity: O(cells) and the bytes to send.
    public func present(_ frame: Frame, pictures: [TerminalPicture]) {
        guard screen != nil else { return }
        let replaced = latest?.pictures ?? []
        latest = Presentation(frame: frame, pictures: pictures.filter { fits($0.rect, in: frame.size) })
        isWaiting = true
        cutReplaced(replaced)
        clearAfter(replaced)
        compose()
    }

    /// Puts a text on the terminal's clipboard, where it allows that.
    public func copy(_ text: String) {
        connection?.enqueue([OutputQueue.Chunk(.text, ControlSequence.copy(text).bytes)])
    }

    /// Sends the latest frame unless something is still being written.
    func compose() {
        guard isWaiting, let latest, let screen, let connection, !connection.isBusy else { return }
        let text = screen.draw(latest.frame, pictures: latest.pictures.map(\.rect))
        // A multiplexer may pass pictures on before the text that came first, which would then wipe them.
        let mustSettle = capabilities.passesThrough && !text.isEmpty
        let plan = ledger.plan(
            latest.pictures, cell: capabilities.cell, style: screen.blankStyle,
            blanksReplaced: capabilities.multiplexerDrawsSixel,
            mayDraw: !acknowledgement.isDue && !mustSettle)
        isWaiting = plan.isIncomplete
        let asksStatus = !probe.replies.isEmpty && (!plan.draw.isEmpty || mustSettle && plan.isIncomplete)
        let chunks = FrameComposer.chunks(
            text: text, plan: plan, isSynchronized: capabilities.synchronizedOutput, asksStatus: asksStatus,
            showsCursor: latest.frame.cursor != nil)
        connection.enqueue(chunks)
        if asksStatus { awaitAcknowledgement(of: chunks.reduce(0) { $0 + $1.bytes.count }) }
    }

    private func cutReplaced(_ old: [TerminalPicture]) {
        guard let latest, let connection else { return }
        let isKept = old.allSatisfy { picture in latest.pictures.contains { $0.isSame(as: picture) } }
        if !isKept, connection.dropImages() { ledger.damage(old) }
    }

    /// Has the whole screen written anew when a picture goes that text does not erase.
    private func clearAfter(_ old: [TerminalPicture]) {
        guard capabilities.graphics.method == .sixel, let latest, capabilities.sixelQuirks.keepsPixelsUnderText else {
            return
        }
        let isCovered = old.allSatisfy { picture in latest.pictures.contains { $0.rect == picture.rect } }
        guard !isCovered else { return }
        screen?.invalidate()
        ledger.invalidate()
    }

    // A frame that was made before the window shrank has pictures that the terminal would put into its last column.
    private func fits(_ rect: Rect, in frame: GridSize) -> Bool {
        let size = GridSize(
            columns: min(frame.columns, window.grid.columns), rows: min(frame.rows, window.grid.rows))
        return rect.column >= 0 && rect.row >= 0 && !rect.isEmpty && rect.column + rect.columns <= size.columns
            && rect.row + rect.rows < size.rows
    }

    private func awaitAcknowledgement(of bytes: Int) {
        let start = ContinuousClock.now
        acknowledgement.ask(at: start, bytes: bytes)
        expectWhatIsDue()
        let round = acknowledgement.round
        Task { [weak self] in
            while let deadline = self?.deadline(of: round) {
                guard deadline <= .now else {
                    try? await Task.sleep(until: deadline, clock: .continuous)
                    continue
                }
                self?.giveUpAcknowledgement(after: deadline - start)
            }
        }
    }

    private func deadline(of round: Int) -> ContinuousClock.Instant? {
        acknowledgement.deadline(of: round, answerTimes)
    }

    private func giveUpAcknowledgement(after duration: Duration) {
        acknowledgement.expire()
        acknowledgementTime = duration
        compose()
    }
}
