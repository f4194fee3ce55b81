/// A clock read as the time since the run began, with the clock's own instant type left behind.
struct RunClock: Sendable {
    let now: @Sendable () -> Duration
    let sleepUntil: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let origin = clock.now
        now = { origin.duration(to: clock.now) }
        sleepUntil = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    }

    /// Waits until the time; false when cancelled first.
    func wait(until time: Duration) async -> Bool {
        guard time > now() else {
            await Task.yield()
            return !Task.isCancelled
        }
        do {
            try await sleepUntil(time)
            return true
        } catch {
            return false
        }
    }
}
