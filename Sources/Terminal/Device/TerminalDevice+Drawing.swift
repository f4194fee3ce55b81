import AlcedoScreen
import Raster
import TerminalGraphics

// Drawing frames.
extension TerminalDevice {
    /// Shows `frame` with `pictures` over it, as soon as earlier output is written.
    ///
    /// A newer frame replaces a waiting one, and cuts a picture in transmission that it does not contain; several
    /// pictures, which change together with the text, are cut only if they take long. A picture hides the frame's cells
    /// in its rectangle. A picture that is not entirely inside the frame, or that touches the
    /// last row, is omitted. A frame of another size than the window's is dropped, as `.resized` has been posted.
    /// Complexity: O(cells) plus the bytes to send.
    package func present(_ frame: Frame, pictures: [TerminalPicture]) {
        guard screen != nil, frame.size == window.grid else { return }
        let replaced = latest?.pictures ?? []
        latest = Presentation(frame: frame, pictures: pictures.filter { fits($0.rect) })
        hasPendingFrame = true
        cutReplaced(replaced)
        clearAfter(replaced)
        compose()
    }

    /// Puts a text on the terminal's clipboard, if the terminal allows it.
    package func copy(_ text: String) {
        connection?.enqueue([OutputQueue.Chunk(.text, ControlSequence.copy(text).bytes)])
    }

    /// Enqueues the latest frame, unless earlier output is still being written.
    func compose() {
        guard hasPendingFrame, let latest, let screen, let connection, !connection.isBusy else { return }
        // Old pictures would stand over new names.
        if acknowledgement.isPending, latest.pictures.count > 1, ledger.lacks(latest.pictures) { return }
        let text = screen.rows(of: latest.frame, pictures: latest.pictures.flatMap(\.hidden))
        // A multiplexer may forward pictures before earlier text, which would then erase them.
        let waitsForText = capabilities.passesThrough && !text.allSatisfy(\.bytes.isEmpty)
        let plan = ledger.plan(
            latest.pictures, cell: capabilities.cell, style: screen.blankStyle,
            blanksReplaced: capabilities.multiplexerDrawsSixel,
            mayDraw: !acknowledgement.isPending && !waitsForText)
        hasPendingFrame = plan.isIncomplete
        let queriesStatus = !probe.replies.isEmpty && (!plan.draw.isEmpty || waitsForText && plan.isIncomplete)
        let chunks = FrameComposer.chunks(
            text: text, plan: plan, isSynchronized: capabilities.synchronizedOutput, queriesStatus: queriesStatus,
            style: screen.blankStyle, showsCursor: latest.frame.cursor != nil)
        connection.enqueue(chunks)
        if queriesStatus { awaitAcknowledgement(of: chunks.reduce(0) { $0 + $1.bytes.count }) }
    }

    private func cutReplaced(_ old: [TerminalPicture]) {
        guard let latest, let connection else { return }
        let isKept = old.allSatisfy { picture in latest.pictures.contains { $0.isSame(as: picture) } }
        let areSeveral = old.count > 1 && latest.pictures.count > 1
        guard !isKept, !areSeveral || isSlow, connection.dropImages() else { return }
        ledger.damage(old)
        guard areSeveral, let screen else { return }
        // Their names are on the screen already.
        let removal = old.flatMap { $0.removal + $0.blanking(style: screen.blankStyle) }
        let bytes = ControlSequence.saveCursor.bytes + removal + ControlSequence.restoreCursor.bytes
        connection.enqueue([OutputQueue.Chunk(.text, bytes)])
    }

    /// Whether the terminal needs more than a second for what was sent to it.
    private var isSlow: Bool {
        let bytes = acknowledgement.unacknowledgedBytes
        return responseTimes.transmissionTime(of: bytes, isRemote: probe.environment.isRemote) > .seconds(1)
    }

    /// Redraws the whole screen if a picture disappears whose pixels remain under text.
    private func clearAfter(_ old: [TerminalPicture]) {
        guard capabilities.graphics.method == .sixel, let latest, capabilities.sixelQuirks.keepsPixelsUnderText else {
            return
        }
        let isCovered = old.allSatisfy { picture in latest.pictures.contains { $0.rect == picture.rect } }
        guard !isCovered else { return }
        screen?.invalidate()
        ledger.invalidate()
    }

    private func fits(_ rect: Rect) -> Bool {
        rect.column >= 0 && rect.row >= 0 && !rect.isEmpty && rect.column + rect.columns <= window.grid.columns
            && rect.row + rect.rows < window.grid.rows
    }

    private func awaitAcknowledgement(of bytes: Int) {
        let start = ContinuousClock.now
        acknowledgement.didQuery(at: start, bytes: bytes)
        updateReplyExpectation()
        let round = acknowledgement.round
        Task { [weak self] in
            while let deadline = self?.deadline(of: round) {
                guard deadline <= .now else {
                    try? await Task.sleep(until: deadline, clock: .continuous)
                    continue
                }
                self?.expireAcknowledgement(after: deadline - start)
            }
        }
    }

    private func deadline(of round: Int) -> ContinuousClock.Instant? {
        acknowledgement.deadline(of: round, responseTimes)
    }

    private func expireAcknowledgement(after duration: Duration) {
        acknowledgement.expire()
        acknowledgementTime = duration
        compose()
    }
}
