import Synchronization

/// Lets progress through at most ten times a second, and always the last: before a pause too.
final class ProgressThrottle: Sendable {
    private struct State {
        var received = 0
        var sent: Int?
        var lastSent = Duration.zero
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

    func note(_ received: Int) {
        tell { state, moment in
            state.received = received
            return state.sent == nil || moment - state.lastSent >= Self.interval
        }
    }

    /// Sends what was held back, until its task is cancelled.
    func sendHeldBack() async {
        while (try? await clock.sleep(Self.interval)) != nil {
            tell { state, _ in state.sent != nil && state.sent != state.received }
        }
    }

    func finish(_ received: Int) {
        tell { state, _ in
            state.received = received
            return true
        }
    }

    private func tell(_ isDue: (inout State, _ moment: Duration) -> Bool) {
        let moment = clock.now()
        let received: Int? = state.withLock { state in
            guard isDue(&state, moment) else { return nil }
            (state.sent, state.lastSent) = (state.received, moment)
            return state.received
        }
        if let received { send(DownloadProgress(received: received, total: expected)) }
    }
}
