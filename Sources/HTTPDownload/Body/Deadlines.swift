import NIOCore
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

    /// Sets the alarm for a stage's deadline.
    func alarm(after duration: Duration, _ stage: DownloadError.TimeoutStage, by clock: TransferClock) -> Alarm {
        clock.alarm(after: max(duration, .zero)) { self.pass(.response(.timedOut(stage))) }
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

    /// Schedules an action, which runs in a task unless the alarm is cancelled first.
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
        // The action may cancel tasks, whose handlers must not hold up the loop.
        let timer = HTTPTransport.loops.any().scheduleTask(in: TimeAmount(duration)) { Task { action() } }
        return Alarm { timer.cancel() }
    }
}

/// A scheduled action that can be cancelled.
struct Alarm: Sendable {
    let cancel: @Sendable () -> Void
}
