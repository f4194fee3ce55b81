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
        state.withLock { state in
            state.received = received
            if state.sent == nil || moment - state.lastSent >= Self.interval {
                tell(&state, at: moment)
            } else if state.alarm == nil, !state.isOver {
                let wait = state.lastSent + Self.interval - moment
                // In a task: whatever the one who hears it does, other alarms do not wait for that.
                state.alarm = clock.alarm(after: wait) { Task { self.sendHeldBack() } }
            }
        }
    }

    /// All is there.
    func finish(_ received: Int) {
        let moment = clock.now()
        state.withLock { state in
            state.received = received
            if state.sent != received { tell(&state, at: moment) }
        }
        stop()
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
        state.withLock { state in
            state.alarm = nil
            if !state.isOver, state.sent != state.received { tell(&state, at: moment) }
        }
    }

    /// Within the lock, so that nothing is told after the end, or after what came later.
    private func tell(_ state: inout State, at moment: Duration) {
        (state.sent, state.lastSent) = (state.received, moment)
        send(DownloadProgress(received: state.received, total: expected))
    }
}
