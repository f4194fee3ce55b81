/// Wakes a runtime when its screen wants to move, and keeps frames apart: 60 a second at most.
@MainActor
final class FramePacer<Time: Clock> where Time.Duration == Duration {
    private let minimumInterval = Duration.milliseconds(16)
    private let clock: Time
    private let wake: @Sendable () -> Void
    private let started: Time.Instant
    private var lastFrame: Time.Instant?
    private var alarm: Task<Void, Never>?

    init(clock: Time, wake: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.wake = wake
        started = clock.now
    }

    /// Since the start.
    var milliseconds: Int { Int(started.duration(to: clock.now) / .milliseconds(1)) }

    /// Whether a frame may be drawn now; otherwise a wake-up is set for when it may.
    func mayDraw() -> Bool {
        let now = clock.now
        if let sinceLast = lastFrame?.duration(to: now), sinceLast < minimumInterval {
            set(alarmIn: minimumInterval - sinceLast)
            return false
        }
        lastFrame = now
        return true
    }

    /// Sets the wake-up for the screen's next movement, or none.
    func setTick(milliseconds: Int?) {
        stop()
        if let milliseconds { set(alarmIn: .milliseconds(max(1, milliseconds))) }
    }

    func stop() { alarm?.cancel() }

    private func set(alarmIn delay: Duration) {
        stop()
        alarm = Task { [clock, wake] in
            guard (try? await clock.sleep(for: delay)) != nil else { return }
            wake()
        }
    }
}
