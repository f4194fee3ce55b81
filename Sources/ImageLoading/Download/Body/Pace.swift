import Synchronization

/// Watches a transfer's pace: no byte for too long, too few over a window, too long in all.
final class Pace: Sendable {
    private struct Progress {
        var bytes = 0
        var lastByte: Duration
    }

    private let judge: PaceJudge
    private let clock: TransferClock
    private let progress: Mutex<Progress>

    /// Begins to watch a body now; `started` is when its transfer began.
    init(limits: DownloadLimits, clock: TransferClock, started: Duration) {
        self.clock = clock
        let now = clock.now()
        judge = PaceJudge(limits: limits, started: started, now: now)
        progress = Mutex(Progress(lastByte: now))
    }

    /// Takes note of the bytes that this body has brought so far.
    func note(bytes: Int) {
        let moment = clock.now()
        progress.withLock { $0 = Progress(bytes: bytes, lastByte: moment) }
    }

    /// Waits until a limit is broken and says which; ends with `.cancelled` when the transfer is over first.
    func violation() async -> ImageError {
        var judge = judge
        while true {
            let wait = judge.nextLook(lastByte: progress.withLock { $0.lastByte }) - clock.now()
            do { try await clock.sleep(max(wait, .milliseconds(1))) } catch { return .cancelled }
            let current = progress.withLock { $0 }
            if let stage = judge.judge(bytes: current.bytes, lastByte: current.lastByte, now: clock.now()) {
                return .response(.timedOut(stage))
            }
        }
    }
}

/// Decides, purely, whether a body is too slow.
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
    func nextLook(lastByte: Duration) -> Duration {
        min(lastByte + limits.idle, windowStart + limits.rateWindow, end ?? .seconds(Int64.max / 4))
    }

    mutating func judge(bytes: Int, lastByte: Duration, now: Duration) -> ImageError.TimeoutStage? {
        if let end, now >= end { return .total }
        if now - lastByte >= limits.idle { return .idle }
        guard now - windowStart >= limits.rateWindow else { return nil }
        let seconds = (now - windowStart) / .seconds(1)
        let isTooSlow = Double(bytes - bytesAtWindowStart) < Double(limits.minimumRate) * seconds
        windowStart = now
        bytesAtWindowStart = bytes
        return isTooSlow ? .rate : nil
    }
}
