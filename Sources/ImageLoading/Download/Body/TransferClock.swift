/// A clock as transfers use it: the time since it was taken up, and sleeps.
struct TransferClock: Sendable {
    let now: @Sendable () -> Duration
    let sleep: @Sendable (Duration) async throws -> Void

    /// All sleeps of a clock of the system's share one timer; any other clock has its own ways.
    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        let now: @Sendable () -> Duration = { start.duration(to: clock.now) }
        self.now = now
        guard clock is ContinuousClock else {
            sleep = { try await clock.sleep(for: $0) }
            return
        }
        let shared = SharedSleep(now: now) { try await clock.sleep(for: $0) }
        sleep = { try await shared.sleep($0) }
    }
}
