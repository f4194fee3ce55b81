/// Wakes a runtime when its screen wants to move, and keeps frames apart.
@MainActor
final class FramePacer {
    /// 60 frames a second at most.
    static let minimumInterval = Duration.milliseconds(16)

    private let wake: @Sendable () -> Void
    private let started = ContinuousClock.now
    private var lastFrame: ContinuousClock.Instant?
    private var alarm: Task<Void, Never>?

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Since the start.
    var milliseconds: Int { Int(started.duration(to: .now) / .milliseconds(1)) }

    /// Whether a frame may be drawn now; otherwise a wake-up is set for when it may.
    func mayDraw() -> Bool {
        let now = ContinuousClock.now
        if let lastFrame, now - lastFrame < Self.minimumInterval {
            set(alarmIn: Self.minimumInterval - (now - lastFrame))
            return false
        }
        lastFrame = now
        return true
    }

    /// Sets the wake-up for the screen's next movement, or none.
    func setTick(milliseconds: Int?) {
        alarm?.cancel()
        alarm = nil
        if let milliseconds { set(alarmIn: .milliseconds(max(1, milliseconds))) }
    }

    func stop() { alarm?.cancel() }

    private func set(alarmIn delay: Duration) {
        alarm?.cancel()
        alarm = Task { [wake] in
            guard (try? await Task.sleep(for: delay)) != nil else { return }
            wake()
        }
    }
}
