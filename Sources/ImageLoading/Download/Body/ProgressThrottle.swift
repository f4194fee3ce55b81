import Synchronization

/// Lets progress through at most ten times a second, and always the last: before a pause too.
final class ProgressThrottle: Sendable {
    private struct State {
        var received = 0
        var sent: Int?
        var lastSent = Duration.zero
        /// When what is held back goes through; nil where nothing is.
        var alarm: Alarm?
        var isOver = false

        mutating func send(at moment: Duration) { (sent, lastSent) = (received, moment) }
    }

    private static let interval = Duration.milliseconds(100)

    private let expected: Int?
    private let clock: TransferClock
    private let send: @Sendable (DownloadProgress) -> Void
    private let state = Mutex(State())

    init(expected: Int?, clock: TransferClock, send: @escaping @Sendable (DownloadProgress) -> Void) {
        self.expected = expected
        self.clock = clock
        self.send = send
    }

    /// So many bytes are there; what is held back goes through when its time comes.
    func note(_ received: Int) {
        let moment = clock.now()
        let isDue = state.withLock { state in
            state.received = received
            if state.sent == nil || moment - state.lastSent >= Self.interval {
                state.send(at: moment)
                return true
            }
            if state.alarm == nil, !state.isOver {
                let wait = state.lastSent + Self.interval - moment
                state.alarm = clock.alarm(after: wait) { self.sendHeldBack() }
            }
            return false
        }
        if isDue { tell(received) }
    }

    /// All is there.
    func finish(_ received: Int) {
        let moment = clock.now()
        state.withLock { state in
            state.received = received
            state.send(at: moment)
        }
        stop()
        tell(received)
    }

    /// Nothing goes through on its own any more.
    func stop() {
        state.withLock { state in
            state.alarm?.cancel()
            (state.alarm, state.isOver) = (nil, true)
        }
    }

    private func sendHeldBack() {
        let moment = clock.now()
        let received: Int? = state.withLock { state in
            state.alarm = nil
            guard !state.isOver, state.sent != state.received else { return nil }
            state.send(at: moment)
            return state.received
        }
        if let received { tell(received) }
    }

    private func tell(_ received: Int) { send(DownloadProgress(received: received, total: expected)) }
}
