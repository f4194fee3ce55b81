import Synchronization

/// Watches a transfer's pace: no byte for too long, too few over a window, too long in all.
final class Pace: Sendable {
    private struct Progress {
        var bytes = 0
        var lastByte: Duration
    }

    private let judge: PaceJudge
    private let clock: TransferClock
    private let bandwidth: Bandwidth?
    private let progress: Mutex<Progress>

    /// Begins to watch a body now; `started` is when its transfer began.
    ///
    /// The time for which the bandwidth holds transfers up counts for the total only.
    init(limits: DownloadLimits, clock: TransferClock, started: Duration, bandwidth: Bandwidth? = nil) {
        self.clock = clock
        self.bandwidth = bandwidth
        let now = clock.now() - (bandwidth?.heldTime ?? .zero)
        judge = PaceJudge(limits: limits, started: started, now: now)
        progress = Mutex(Progress(lastByte: now))
    }

    /// Takes note of the bytes that this body has brought so far.
    func note(bytes: Int) {
        let moment = clock.now() - heldTime
        progress.withLock { $0 = Progress(bytes: bytes, lastByte: moment) }
    }

    /// Waits until a limit is broken and says which; ends with `.cancelled` when the transfer is over first.
    func violation() async -> ImageError {
        var judge = judge
        while true {
            let held = heldTime
            let look = judge.nextLook(lastByte: progress.withLock { $0.lastByte }, held: held)
            let wait = look + held - clock.now()
            do { try await clock.sleep(max(wait, .milliseconds(1))) } catch { return .cancelled }
            let (current, heldNow) = (progress.withLock { $0 }, heldTime)
            let stage = judge.judge(
                bytes: current.bytes, lastByte: current.lastByte, now: clock.now() - heldNow, held: heldNow)
            if let stage { return .response(.timedOut(stage)) }
        }
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
    ) -> ImageError.TimeoutStage? {
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
