import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// The deadlines of a transfer: the first one that passes cancels the transfer's task and records its error.
///
/// A separate task for each deadline would cost more than a small transfer.
final class Deadlines: Sendable {
    private struct State {
        var passed: DownloadError?
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// The error of the deadline that passed first; nil if none has passed.
    var passed: DownloadError? { state.withLock(\.passed) }

    /// Records a passed deadline and cancels the work if it still runs.
    func pass(_ error: DownloadError) {
        state.withLock { state in
            if state.passed == nil { state.passed = error }
            return state.cancel
        }?()
    }

    /// Runs the work in a task that a passed deadline cancels.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(DownloadError) -> Value
    ) async throws(DownloadError) -> Value {
        let task = Task { () -> Result<Value, DownloadError> in
            do throws(DownloadError) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        let isOver = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.passed != nil
        }
        if isOver { task.cancel() }
        return try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }
}

/// A clock that measures the time since its creation and provides sleeps and alarms.
struct TransferClock: Sendable {
    let now: @Sendable () -> Duration
    let sleep: @Sendable (Duration) async throws -> Void
    private let isSystemClock: Bool

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
        isSystemClock = clock is ContinuousClock
    }

    /// Schedules an action that must not block; it runs on any thread unless the alarm is cancelled first.
    ///
    /// A cancelled sleep of the system's clock keeps its timer until its time. Each transfer has several alarms of half
    /// a minute but ends within milliseconds, so its alarms are timers of the event loops, which remove them at once.
    func alarm(after duration: Duration, _ action: @escaping @Sendable () -> Void) -> Alarm {
        guard isSystemClock else {
            let task = Task { [sleep] in
                if (try? await sleep(duration)) != nil { action() }
            }
            return Alarm { task.cancel() }
        }
        let timer = HTTPTransport.loops.any().scheduleTask(in: TimeAmount(duration), action)
        return Alarm { timer.cancel() }
    }
}

/// A scheduled action that can be cancelled.
struct Alarm: Sendable {
    let cancel: @Sendable () -> Void
}

/// A wait for a response's head, with time limits.
struct ResponseHeadTimeout: Sendable {
    let limits: DownloadLimits
    let clock: TransferClock
    /// The time at which the transfer began.
    let started: Duration
    let deadlines: Deadlines

    /// Sends a request and returns the response's head.
    ///
    /// - Parameters:
    ///   - exchange: The record of the request.
    ///   - send: The function that sends the request.
    ///   - explain: A function that makes the error of a failed request more exact.
    /// - Returns: The response's head and body stream.
    /// - Throws: The explained error, a time-out or the cancellation.
    func head(
        of exchange: Exchange, by send: () async throws -> HTTPClientResponse,
        orExplain explain: (DownloadError) async -> DownloadError
    ) async throws(DownloadError) -> HTTPClientResponse {
        let total = limits.total.map { alarm(after: started + $0 - clock.now(), .total) }
        // The time for the head begins when the request is sent; connecting has its own limit.
        exchange.onDeparture { alarm(after: limits.head, .head) }
        let answer = await answer(by: send, explain)
        exchange.finish()
        total?.cancel()
        if let passed = deadlines.passed { throw passed }
        if Task.isCancelled { throw .cancelled }
        return try answer.get()
    }

    private func alarm(after duration: Duration, _ stage: DownloadError.TimeoutStage) -> Alarm {
        clock.alarm(after: max(duration, .zero)) { [deadlines] in deadlines.pass(.response(.timedOut(stage))) }
    }

    private func answer(
        by send: () async throws -> HTTPClientResponse, _ explain: (DownloadError) async -> DownloadError
    ) async -> Result<HTTPClientResponse, DownloadError> {
        do {
            return .success(try await send())
        } catch let error as HTTPClientError where error == .proxyAuthenticationRequired {
            // The client does not expose the fields of a 407 response to the tunnel's CONNECT request.
            return .success(HTTPClientResponse(status: .proxyAuthenticationRequired))
        } catch {
            return .failure(await explain(TransportErrors.downloadError(from: error, stage: .head)))
        }
    }
}
