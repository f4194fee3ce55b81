/// A clock of any type, read as the time since this value was created.
package struct RunClock: Sendable {
    package let now: @Sendable () -> Duration
    /// Whether the clock is the system's.
    package let isSystemClock: Bool
    private let sleep: @Sendable (_ end: Duration) async throws -> Void

    package init(_ clock: some Clock<Duration>) {
        let origin = clock.now
        now = { origin.duration(to: clock.now) }
        isSystemClock = clock is ContinuousClock
        sleep = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    }

    /// Waits until a time; returns false when the task was cancelled first.
    package func wait(until time: Duration) async -> Bool {
        guard time > now() else {
            await Task.yield()
            return !Task.isCancelled
        }
        do {
            try await sleep(time)
            return true
        } catch {
            return false
        }
    }
}
