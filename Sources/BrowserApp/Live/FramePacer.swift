/// Wakes a runtime when its screen wants to move, and keeps frames apart: 60 a second at most, and as many that answer
/// the user.
@MainActor
final class FramePacer {
    private let minimumInterval = Duration.milliseconds(16)
    private let alarm: any Alarm
    private let started: Duration
    private var lastFrame: Duration?
    private var lastAnswer: Duration?

    init(alarm: any Alarm) {
        self.alarm = alarm
        started = alarm.now
    }

    /// Since the start.
    var milliseconds: Int { Int((alarm.now - started) / .milliseconds(1)) }

    /// Whether a frame may be drawn now; otherwise a wake-up is set for when it may.
    ///
    /// One that answers the user waits for the last such frame only, not for one that merely moved.
    func mayDraw(isAnswer: Bool = false) -> Bool {
        let now = alarm.now
        if let last = isAnswer ? lastAnswer : lastFrame, now - last < minimumInterval {
            alarm.set(in: minimumInterval - (now - last))
            return false
        }
        lastFrame = now
        if isAnswer { lastAnswer = now }
        return true
    }

    /// Sets the wake-up for the screen's next movement, or none.
    func setTick(milliseconds: Int?) {
        if let milliseconds { alarm.set(in: .milliseconds(max(1, milliseconds))) } else { alarm.stop() }
    }

    func stop() { alarm.stop() }
}
