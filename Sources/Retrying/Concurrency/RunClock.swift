/// A clock of any type, read as the time since this value was created: the only way to read a monotonic time.
@usableFromInline
package struct RunClock: Sendable {
    /// The system's clock, since its first use.
    @usableFromInline package static let system = RunClock(.continuous)

    @usableFromInline package let now: @Sendable () -> Duration
    /// Whether it is the system's clock.
    package let isSystem: Bool
    private let sleep: @Sendable (_ end: Duration) async throws -> Void

    package init(_ clock: some Clock<Duration>) {
        let origin = clock.now
        isSystem = clock is ContinuousClock
        now = { origin.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    }

    /// Waits until a time; returns false when the task was cancelled first.
    package func wait(until time: Duration) async -> Bool {
        guard time > now() else {
            await Task.yield()
            return !Task.isCancelled
        }
        return (try? await sleep(time)) != nil
    }
}
