/// A clock that measures the time since its creation and provides sleeps and alarms.
struct TransferClock: Sendable {
    let now: @Sendable () -> Duration
    let sleep: @Sendable (Duration) async throws -> Void
    private let shared: SharedSleep?

    /// Creates a clock; all sleeps of a `ContinuousClock` share one timer, other clocks sleep by themselves.
    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        let now: @Sendable () -> Duration = { start.duration(to: clock.now) }
        self.now = now
        guard clock is ContinuousClock else {
            sleep = { try await clock.sleep(for: $0) }
            shared = nil
            return
        }
        let shared = SharedSleep(now: now) { try await clock.sleep(for: $0) }
        sleep = { try await shared.sleep($0) }
        self.shared = shared
    }

    /// Schedules an action, which runs on any thread unless the alarm is cancelled first.
    func alarm(after duration: Duration, _ action: @escaping @Sendable () -> Void) -> Alarm {
        if let shared { return .shared(shared, shared.alarm(after: duration, action)) }
        return .ofItsOwn(
            Task { [sleep] in
                if (try? await sleep(duration)) != nil { action() }
            })
    }
}
