import AlcedoHTTPRequests
import FoundationEssentials
import Retrying
import Synchronization

extension DownloadSession {
    /// Appends a body to the bytes of an earlier attempt, within the limits.
    ///
    /// - Parameters:
    ///   - expected: The length of the whole body in bytes; nil if unknown.
    ///   - codings: The content codings of the body; the first bytes of one do not show its format.
    ///   - isModified: Whether a data modifier will change the body, so that its format is not checked here.
    func read(
        _ exchange: Exchange, into data: inout Data, expected: Int?, codings: [ContentCoding], isModified: Bool
    ) async throws(DownloadError) {
        let (limits, clock, bandwidth, start) = (limits, downloader.clock, downloader.bandwidth, data.count)
        let firstBytes = codings.isEmpty ? request.firstBytes : nil
        let onBytes = codings.isEmpty && !isModified ? request.onBytes : nil
        let isChecked = !codings.isEmpty || !isModified
        let pace = StallDetector(limits: limits, clock: clock, bandwidth: bandwidth)
        let progress = ProgressThrottle(clock: clock) { [metrics, onProgress] in
            onProgress(.init(received: $0, total: expected, phases: metrics.phases, firstByte: metrics.firstByte))
        }
        pace.watch { exchange.fail($0) }
        defer {
            pace.stop()
            progress.stop()
        }
        var isUndecided = isChecked
        if start > 0 { onBytes?(data, 0) }
        do throws(DownloadError) {
            while let chunk = try await exchange.next() {
                let offset = data.count
                guard offset + chunk.count <= limits.bytes else { throw .response(.tooLarge(limit: limits.bytes)) }
                // Most small bodies arrive in one chunk, which needs no copy.
                if offset == 0 { data = chunk } else { data.append(chunk) }
                if isUndecided { isUndecided = try judge(data, isWhole: false, codings) == .undecided }
                onBytes?(chunk, offset)
                pace.record(bytes: data.count - start)
                progress.record(data.count)
                if let bandwidth, (try? await bandwidth.acquire(chunk.count)) == nil { throw .cancelled }
                if let firstBytes, data.count >= firstBytes { break }
            }
        } catch {
            // A connection that ends after the last byte, before the end of the stream is seen, took nothing away.
            let failure = error.inBody(received: data.count, expected: expected)
            guard case .response(.truncated(let received, let expected?)) = failure, received == expected else {
                throw failure
            }
        }
        progress.finish(data.count)
        if let expected, data.count < min(expected, firstBytes ?? .max) || firstBytes == nil && data.count != expected {
            throw .response(.truncated(received: data.count, expected: expected))
        }
        // That there is no byte says nothing about the picture: the server may answer better next time.
        if data.isEmpty, isChecked, request.bodyCheck != nil { throw .response(.truncated(received: 0, expected: 0)) }
        if isChecked { _ = try judge(data, isWhole: true, codings) }
        if Task.isCancelled { throw .cancelled }
    }

    /// Returns the verdict of the check; throws the error of a body that cannot be used.
    private func judge(_ data: Data, isWhole: Bool, _ codings: [ContentCoding]) throws(DownloadError) -> BodyVerdict {
        let verdict = request.bodyCheck?(data, isWhole) ?? .accepted
        if case .refused = verdict, !codings.isEmpty {
            if let error = ContentCoding.error(of: codings) { throw error }
        } else if let error = verdict.error {
            throw error
        }
        return verdict
    }
}

extension BodyVerdict {
    /// The error of a refused body; nil for any other.
    var error: DownloadError? {
        switch self {
        case .refused(let appearance): .response(.notAnImage(appearance))
        case .notAccepted(let format): .response(.notAccepted(format: format))
        case .accepted, .undecided: nil
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
        /// The alarm that sends the latest state; nil if nothing is pending.
        var alarm: Alarm?
        var isOver = false
    }

    private static let interval = Duration.milliseconds(100)

    private let clock: RunClock
    private let send: @Sendable (Int) -> Void
    private let state = Mutex(State())

    init(clock: RunClock, send: @escaping @Sendable (Int) -> Void) { (self.clock, self.send) = (clock, send) }

    /// Records the received bytes and sends the progress now, or when the interval is over.
    func record(_ received: Int) { update(received) }

    /// Sends the final progress and stops.
    func finish(_ received: Int) {
        update(received, isLast: true)
        stop()
    }

    /// Cancels pending progress and sends no more from alarms.
    func stop() {
        state.withLock { state in
            state.alarm?.cancel()
            (state.alarm, state.isOver) = (nil, true)
        }
    }

    /// Sends the progress, now or later; `received` is nil when the alarm rings.
    private func update(_ received: Int?, isLast: Bool = false) {
        let moment = clock.now()
        state.withLock { state in
            if let received {
                state.received = received
            } else {
                guard !state.isOver else { return }
                state.alarm = nil
            }
            guard state.sent != state.received else { return }
            let next = state.sent == nil || isLast ? moment : state.lastSent + Self.interval
            if moment >= next {
                (state.sent, state.lastSent) = (state.received, moment)
                // Sent within the lock, so that callbacks keep their order and none follows the last one.
                send(state.received)
            } else if state.alarm == nil, !state.isOver {
                state.alarm = clock.alarm(after: next - moment) { self.update(nil) }
            }
        }
    }
}

/// A monitor of a body's idle time and its average rate over a window, without delays by the bandwidth limit.
final class StallDetector: Sendable {
    private struct State {
        var policy: StallPolicy
        var bytes = 0
        var lastByte: Duration
        /// The alarm for the next check; nil before `watch` and after `stop()`.
        var alarm: Alarm?
        var isOver = false
    }

    private let clock: RunClock
    private let bandwidth: Bandwidth?
    private let state: Mutex<State>

    /// Creates a monitor of a body that begins now.
    init(limits: DownloadLimits, clock: RunClock, bandwidth: Bandwidth? = nil) {
        (self.clock, self.bandwidth) = (clock, bandwidth)
        let now = clock.now() - (bandwidth?.heldTime ?? .zero)
        state = Mutex(State(policy: StallPolicy(limits: limits, now: now), lastByte: now))
    }

    /// The current time without the delays by the bandwidth limit.
    private var now: Duration { clock.now() - (bandwidth?.heldTime ?? .zero) }

    /// Records the number of bytes that this body has received so far.
    func record(bytes: Int) {
        let moment = now
        state.withLock { ($0.bytes, $0.lastByte) = (bytes, moment) }
    }

    /// Calls `onViolation` at most once, with the first limit that is exceeded before `stop()`.
    func watch(_ onViolation: @escaping @Sendable (DownloadError) -> Void) {
        let moment = now
        state.withLock { state in
            guard !state.isOver else { return }
            let wait = max(state.policy.nextCheck(lastByte: state.lastByte) - moment, .milliseconds(1))
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
        let moment = now
        let stage = state.withLock { $0.policy.judge(bytes: $0.bytes, lastByte: $0.lastByte, now: moment) }
        if let stage { onViolation(.response(.timedOut(stage))) } else { watch(onViolation) }
    }
}

/// A pure value that decides whether a body is too slow; its times exclude the delays by the bandwidth limit.
struct StallPolicy: Sendable {
    private let limits: DownloadLimits
    private var windowStart: Duration
    private var bytesAtWindowStart = 0

    init(limits: DownloadLimits, now: Duration) { (self.limits, windowStart) = (limits, now) }

    /// Returns the earliest time at which a limit can be exceeded if no more bytes arrive.
    func nextCheck(lastByte: Duration) -> Duration { min(lastByte + limits.idle, windowStart + limits.rateWindow) }

    mutating func judge(bytes: Int, lastByte: Duration, now: Duration) -> DownloadError.TimeoutStage? {
        if now - lastByte >= limits.idle { return .idle }
        guard now - windowStart >= limits.rateWindow else { return nil }
        let seconds = (now - windowStart) / .seconds(1)
        let isTooSlow = Double(bytes - bytesAtWindowStart) < Double(limits.minimumRate) * seconds
        (windowStart, bytesAtWindowStart) = (now, bytes)
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
    func acquire(_ count: Int) async throws(CancellationError) {
        let moment = clock.now()
        let wait = bucket.withLock { $0.reserve(count, at: moment) }
        if wait > .zero, await !clock.wait(until: moment + wait) { throw CancellationError() }
    }

    /// The total time for which the limit delayed transfers so far.
    var heldTime: Duration {
        let moment = clock.now()
        return bucket.withLock { $0.debtTime(at: moment) }
    }
}
