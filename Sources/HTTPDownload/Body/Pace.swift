import Synchronization

/// Watches a transfer's pace: no byte for too long, too few over a window, too long in all.
final class Pace: Sendable {
    private struct Progress {
        var bytes = 0
        var lastByte: Duration
    }

    private struct State {
        var judge: PaceJudge
        var progress: Progress
        /// When it is looked at next; nil before `watch` and after `stop()`.
        var alarm: Alarm?
        var isOver = false
    }

    private let clock: TransferClock
    private let bandwidth: Bandwidth?
    private let state: Mutex<State>

    /// Begins to watch a body now; `started` is when its transfer began.
    ///
    /// The time for which the bandwidth holds transfers up counts for the total only.
    init(limits: DownloadLimits, clock: TransferClock, started: Duration, bandwidth: Bandwidth? = nil) {
        self.clock = clock
        self.bandwidth = bandwidth
        let now = clock.now() - (bandwidth?.heldTime ?? .zero)
        let judge = PaceJudge(limits: limits, started: started, now: now)
        state = Mutex(State(judge: judge, progress: Progress(lastByte: now)))
    }

    /// Takes note of the bytes that this body has brought so far.
    func note(bytes: Int) {
        let moment = clock.now() - heldTime
        state.withLock { $0.progress = Progress(bytes: bytes, lastByte: moment) }
    }

    /// Tells when a limit is broken, and which, until `stop()`; at most once.
    func watch(_ onViolation: @escaping @Sendable (DownloadError) -> Void) {
        let held = heldTime
        state.withLock { state in
            guard !state.isOver else { return }
            let look = state.judge.nextLook(lastByte: state.progress.lastByte, held: held)
            let wait = max(look + held - clock.now(), .milliseconds(1))
            state.alarm = clock.alarm(after: wait) { self.look(onViolation) }
        }
    }

    func stop() {
        state.withLock { state in
            state.alarm?.cancel()
            (state.alarm, state.isOver) = (nil, true)
        }
    }

    private func look(_ onViolation: @escaping @Sendable (DownloadError) -> Void) {
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

/// Decides, purely, whether a body is too slow.
///
/// Its moments are without the time for which transfers were held up; `held`, none by default, is how long that was.
struct PaceJudge: Sendable {
    private let limits: DownloadLimits
    private let end: Duration?
    private var windowStart: Duration
    private var bytesAtWindowStart = 0

    init(limits: DownloadLimits, started: Duration, now: Duration) {
        self.limits = limits
        end = limits.total.map { started + $0 }
        windowStart = now
    }

    /// The first moment at which a limit can be broken, if no more bytes come.
    func nextLook(lastByte: Duration, held: Duration = .zero) -> Duration {
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
