import Synchronization

/// A monitor of a body's idle time, its average rate over a window, and the transfer's total time.
final class StallDetector: Sendable {
    private struct Progress {
        var bytes = 0
        var lastByte: Duration
    }

    private struct State {
        var judge: StallPolicy
        var progress: Progress
        /// The alarm for the next check; nil before `watch` and after `stop()`.
        var alarm: Alarm?
        var isOver = false
    }

    private let clock: TransferClock
    private let bandwidth: Bandwidth?
    private let state: Mutex<State>

    /// Creates a monitor of a body that begins now.
    ///
    /// Delays by the bandwidth limit count toward the total time only.
    ///
    /// - Parameter started: The time at which the transfer began.
    init(limits: DownloadLimits, clock: TransferClock, started: Duration, bandwidth: Bandwidth? = nil) {
        self.clock = clock
        self.bandwidth = bandwidth
        let now = clock.now() - (bandwidth?.heldTime ?? .zero)
        let judge = StallPolicy(limits: limits, started: started, now: now)
        state = Mutex(State(judge: judge, progress: Progress(lastByte: now)))
    }

    /// Records the number of bytes that this body has received so far.
    func record(bytes: Int) {
        let moment = clock.now() - heldTime
        state.withLock { $0.progress = Progress(bytes: bytes, lastByte: moment) }
    }

    /// Calls `onViolation` at most once, with the first limit that is exceeded before `stop()`.
    func watch(_ onViolation: @escaping @Sendable (DownloadError) -> Void) {
        let held = heldTime
        state.withLock { state in
            guard !state.isOver else { return }
            let nextCheck = state.judge.nextCheck(lastByte: state.progress.lastByte, held: held)
            let wait = max(nextCheck + held - clock.now(), .milliseconds(1))
            state.alarm = clock.alarm(after: wait) { self.check(onViolation) }
        }
    }

    func stop() {
        state.withLock { state in
            state.alarm?.cancel()
            (state.alarm, state.isOver) = (nil, true)
        }
    }

    private func check(_ onViolation: @escaping @Sendable (DownloadError) -> Void) {
        let held = heldTime
        let now = clock.now() - held
        let stage = state.withLock { state in
            let (bytes, lastByte) = (state.progress.bytes, state.progress.lastByte)
            return state.judge.judge(bytes: bytes, lastByte: lastByte, now: now, held: held)
        }
        if let stage { onViolation(.response(.timedOut(stage))) } else { watch(onViolation) }
    }

    private var heldTime: Duration { bandwidth?.heldTime ?? .zero }
}

/// A pure value that decides whether a body is too slow.
///
/// Its times exclude the delays by the bandwidth limit; `held` (zero by default) is the sum of these delays.
struct StallPolicy: Sendable {
    private let limits: DownloadLimits
    private let end: Duration?
    private var windowStart: Duration
    private var bytesAtWindowStart = 0

    init(limits: DownloadLimits, started: Duration, now: Duration) {
        self.limits = limits
        end = limits.total.map { started + $0 }
        windowStart = now
    }

    /// Returns the earliest time at which a limit can be exceeded if no more bytes arrive.
    func nextCheck(lastByte: Duration, held: Duration = .zero) -> Duration {
        min(lastByte + limits.idle, windowStart + limits.rateWindow, end.map { $0 - held } ?? .seconds(Int64.max / 4))
    }

    mutating func judge(
        bytes: Int, lastByte: Duration, now: Duration, held: Duration = .zero
    ) -> DownloadError.TimeoutStage? {
        if let end, now + held >= end { return .total }
        if now - lastByte >= limits.idle { return .idle }
        guard now - windowStart >= limits.rateWindow else { return nil }
        let seconds = (now - windowStart) / .seconds(1)
        let isTooSlow = Double(bytes - bytesAtWindowStart) < Double(limits.minimumRate) * seconds
        windowStart = now
        bytesAtWindowStart = bytes
        return isTooSlow ? .rate : nil
    }
}
