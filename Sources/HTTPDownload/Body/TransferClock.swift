import NIOCore
import NIOPosix

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
