import Synchronization

/// Watches a transfer's pace: no byte for too long, too few over a window, too long in all.
final class Pace: Sendable {
    private struct Progress {
        var bytes = 0
        var lastByte: Duration
    }

    private let limits: DownloadLimits
    private let started: Duration
    private let progress: Mutex<Progress>
    private let now: @Sendable () -> Duration

    init(limits: DownloadLimits, now: @escaping @Sendable () -> Duration = MonotonicTime.now) {
        self.limits = limits
        self.now = now
        started = now()
        progress = Mutex(Progress(lastByte: started))
    }

    func note(bytes: Int) {
        let moment = now()
        progress.withLock { $0 = Progress(bytes: bytes, lastByte: moment) }
    }

    /// Waits until a limit is broken and says which; ends with `.cancelled` when the transfer is over first.
    func violation(clock: any Clock<Duration> = ContinuousClock()) async -> ImageError {
        let step = min(limits.idle, limits.rateWindow, limits.total ?? limits.idle) / 4
        var judge = PaceJudge(limits: limits, started: started)
        while true {
            do { try await clock.sleep(for: max(step, .milliseconds(10))) } catch { return .cancelled }
            let current = progress.withLock { $0 }
            if let stage = judge.judge(bytes: current.bytes, lastByte: current.lastByte, now: now()) {
                return .response(.timedOut(stage))
            }
        }
    }
}

/// Decides, purely, whether a transfer is too slow.
struct PaceJudge: Sendable {
    let limits: DownloadLimits
    let started: Duration
    private var windowStart: Duration
    private var bytesAtWindowStart = 0

    init(limits: DownloadLimits, started: Duration) {
        self.limits = limits
        self.started = started
        windowStart = started
    }

    mutating func judge(bytes: Int, lastByte: Duration, now: Duration) -> ImageError.TimeoutStage? {
        if let total = limits.total, now - started > total { return .total }
        if now - lastByte > limits.idle { return .idle }
        guard now - windowStart >= limits.rateWindow else { return nil }
        let seconds = (now - windowStart) / .seconds(1)
        let isTooSlow = Double(bytes - bytesAtWindowStart) < Double(limits.minimumRate) * seconds
        windowStart = now
        bytesAtWindowStart = bytes
        return isTooSlow ? .rate : nil
    }
}
