import AlcedoHTTPRequests
import Foundation
import Retrying
import Synchronization

/// A reader that collects a body, enforces the limits, checks the first bytes and monitors the transfer rate.
struct BodyReader: Sendable {
    /// The received bytes, and the error that ended the body early.
    struct Outcome: Sendable {
        var data: Data
        /// The error; nil for a whole body.
        var error: DownloadError?
    }

    /// The bytes of an earlier attempt, which the body continues.
    var prefix = Data()
    /// The expected length of the whole body in bytes, prefix included; nil if unknown.
    let expected: Int?
    let limits: DownloadLimits
    let clock: RunClock
    /// The time at which the transfer began.
    let started: Duration
    /// The bandwidth limit of all transfers; nil if there is none.
    var bandwidth: Bandwidth?
    /// The check of the body's format; nil accepts all bodies.
    var check: BodyCheck?
    /// The number of bytes after which reading ends; nil for the whole body.
    var firstBytes: Int?
    /// The content codings from the response's head.
    var codings: [ContentCoding] = []
    /// Receives the length of the body so far, prefix included.
    let onProgress: @Sendable (Int) -> Void
    var onBytes: (@Sendable (_ bytes: Data, _ offset: Int) -> Void)?

    func read(_ exchange: Exchange) async -> Outcome {
        let pace = StallDetector(limits: limits, clock: clock, started: started, bandwidth: bandwidth)
        let progress = ProgressThrottle(clock: clock, send: onProgress)
        pace.watch { exchange.fail($0) }
        let outcome = await collect(exchange, pace, progress)
        pace.stop()
        progress.stop()
        return Outcome(data: outcome.data, error: Task.isCancelled ? .cancelled : outcome.error)
    }

    private func collect(_ exchange: Exchange, _ pace: StallDetector, _ progress: ProgressThrottle) async
        -> Outcome
    {
        var data = prefix
        var isUndecided = check != nil
        if !prefix.isEmpty { onBytes?(prefix, 0) }
        do {
            while let chunk = try await exchange.next() {
                guard data.count + chunk.count <= limits.bytes else {
                    return Outcome(data: data, error: .response(.tooLarge(limit: limits.bytes)))
                }
                let offset = data.count
                // Most small bodies arrive in one chunk, which needs no copy.
                if offset == 0 { data = chunk } else { data.append(chunk) }
                if isUndecided, let refusal = refusal(of: data, isWhole: false, &isUndecided) {
                    return Outcome(data: data, error: refusal)
                }
                onBytes?(chunk, offset)
                pace.record(bytes: data.count - prefix.count)
                progress.record(data.count)
                try await bandwidth?.acquire(chunk.count)
                if let firstBytes, data.count >= firstBytes { break }
            }
        } catch let error as DownloadError {
            // A connection that ends after the last byte, before the end of the stream is seen, took nothing away.
            let failure = error.inBody(received: data.count, expected: expected)
            guard case .response(.truncated(let received, let expected?)) = failure, received == expected else {
                return Outcome(data: data, error: failure)
            }
        } catch {
            return Outcome(data: data, error: .cancelled)
        }
        progress.finish(data.count)
        return Outcome(data: data, error: verdict(on: data))
    }

    private func verdict(on data: Data) -> DownloadError? {
        if let expected, data.count < min(expected, firstBytes ?? .max) || firstBytes == nil && data.count != expected {
            return .response(.truncated(received: data.count, expected: expected))
        }
        var isUndecided = false
        return refusal(of: data, isWhole: true, &isUndecided)
    }

    private func refusal(of data: Data, isWhole: Bool, _ isUndecided: inout Bool) -> DownloadError? {
        switch check?(data, isWhole) {
        case nil, .accepted: isUndecided = false
        case .undecided: isUndecided = true
        case .refused(let appearance):
            if codings.isEmpty { return .response(.notAnImage(appearance)) }
            isUndecided = false
            return ContentCoding.unknown(in: codings).map(ContentCoding.unknownError)
        case .notAccepted(let format): return .response(.notAccepted(format: format))
        }
        return nil
    }
}

extension DownloadRequest {
    /// Returns the error for a whole body that the check refuses.
    func refusal(of data: Data) -> DownloadError? {
        switch bodyCheck?(data, true) {
        case .refused(let appearance): .response(.notAnImage(appearance))
        case .notAccepted(let format): .response(.notAccepted(format: format))
        case nil, .accepted, .undecided: nil
        }
    }
}

/// A filter that forwards progress at most ten times a second, and always the latest state before a pause and at
/// the end.
final class ProgressThrottle: Sendable {
    private struct State {
        var received = 0
        var sent: Int?
        var lastSent = Duration.zero
        /// Cancels the alarm that sends the latest state; nil if nothing is pending.
        var cancelAlarm: (@Sendable () -> Void)?
        var isOver = false
    }

    private static let interval = Duration.milliseconds(100)

    private let clock: RunClock
    private let send: @Sendable (Int) -> Void
    private let state = Mutex(State())

    init(clock: RunClock, send: @escaping @Sendable (Int) -> Void) {
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
            } else if state.cancelAlarm == nil, !state.isOver {
                setAlarm(&state, at: moment)
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
            state.cancelAlarm?()
            (state.cancelAlarm, state.isOver) = (nil, true)
        }
    }

    private func sendHeldBack() {
        let moment = clock.now()
        state.withLock { state in
            state.cancelAlarm = nil
            guard !state.isOver, state.sent != state.received else { return }
            // A late alarm may follow progress that was sent meanwhile.
            if moment - state.lastSent < Self.interval {
                setAlarm(&state, at: moment)
            } else {
                sendProgress(&state, at: moment)
            }
        }
    }

    private func setAlarm(_ state: inout State, at moment: Duration) {
        state.cancelAlarm = clock.alarm(after: state.lastSent + Self.interval - moment) { self.sendHeldBack() }
    }

    /// Sends the progress; called within the lock, so that callbacks keep their order and none follows the last
    /// one.
    private func sendProgress(_ state: inout State, at moment: Duration) {
        (state.sent, state.lastSent) = (state.received, moment)
        send(state.received)
    }
}

/// A monitor of a body's idle time, its average rate over a window, and the transfer's total time.
final class StallDetector: Sendable {
    private struct Progress {
        var bytes = 0
        var lastByte: Duration
    }

    private struct State {
        var judge: StallPolicy
        var progress: Progress
        /// Cancels the alarm for the next check; nil before `watch` and after `stop()`.
        var cancelAlarm: (@Sendable () -> Void)?
        var isOver = false
    }

    private let clock: RunClock
    private let bandwidth: Bandwidth?
    private let state: Mutex<State>

    /// Creates a monitor of a body that begins now.
    ///
    /// Delays by the bandwidth limit count toward the total time only.
    ///
    /// - Parameter started: The time at which the transfer began.
    init(limits: DownloadLimits, clock: RunClock, started: Duration, bandwidth: Bandwidth? = nil) {
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
            state.cancelAlarm = clock.alarm(after: wait) { self.check(onViolation) }
        }
    }

    func stop() {
        state.withLock { state in
            state.cancelAlarm?()
            (state.cancelAlarm, state.isOver) = (nil, true)
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

/// The limit on the bytes per second of all transfers of a downloader together.
///
/// Bytes are counted when they are received. A transfer that exceeds the limit waits before it reads on, and the
/// flow control of its connection slows the server down. This waiting time does not count as a stall.
final class Bandwidth: Sendable {
    private let bucket: Mutex<TokenBucket>
    private let clock: RunClock

    /// Creates a limit that allows bursts of a quarter of a second.
    init(bytesPerSecond: Int, clock: RunClock) {
        self.clock = clock
        let rate = Double(max(1, bytesPerSecond))
        bucket = Mutex(TokenBucket(rate: rate, capacity: rate / 4))
    }

    /// Counts received bytes, then waits until the transfer is within the limit again.
    func acquire(_ count: Int) async throws {
        let moment = clock.now()
        let wait = bucket.withLock { $0.reserve(count, at: moment) }
        if wait > .zero, await !clock.wait(until: clock.now() + wait) { throw CancellationError() }
    }

    /// The total time for which the limit delayed transfers so far.
    var heldTime: Duration {
        let moment = clock.now()
        return bucket.withLock { $0.debtTime(at: moment) }
    }
}

/// A counter of all body bytes that a downloader receives, also of refused and cancelled transfers.
final class ReceivedBytes: Sendable {
    private let count = Atomic(0)

    var total: Int { count.load(ordering: .relaxed) }

    func add(_ bytes: Int) { count.wrappingAdd(bytes, ordering: .relaxed) }
}
