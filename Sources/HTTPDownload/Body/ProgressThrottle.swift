import Synchronization

/// A filter that forwards progress at most ten times a second, and always the latest state before a pause and at
/// the end.
final class ProgressThrottle: Sendable {
    private struct State {
        var received = 0
        var sent: Int?
        var lastSent = Duration.zero
        /// The alarm that sends the latest state; nil if nothing is pending.
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

    /// Records the received bytes and sends the progress now, or when the interval is over.
    func record(_ received: Int) {
        let moment = clock.now()
        state.withLock { state in
            state.received = received
            if state.sent == nil || moment - state.lastSent >= Self.interval {
                sendProgress(&state, at: moment)
            } else if state.alarm == nil, !state.isOver {
                let wait = state.lastSent + Self.interval - moment
                // The callback runs in a task, so that a slow one does not delay other alarms.
                state.alarm = clock.alarm(after: wait) { Task { self.sendHeldBack() } }
            }
        }
    }

    /// Sends the final progress and stops.
    func finish(_ received: Int) {
        let moment = clock.now()
        state.withLock { state in
            state.received = received
            if state.sent != received { sendProgress(&state, at: moment) }
        }
        stop()
    }

    /// Cancels pending progress and sends no more from alarms.
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
            if !state.isOver, state.sent != state.received { sendProgress(&state, at: moment) }
        }
    }

    /// Sends the progress; called within the lock, so that callbacks keep their order and none follows the last
    /// one.
    private func sendProgress(_ state: inout State, at moment: Duration) {
        (state.sent, state.lastSent) = (state.received, moment)
        send(DownloadProgress(received: state.received, total: expected))
    }
}
