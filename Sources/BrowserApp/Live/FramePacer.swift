/// Schedules the next frame of a screen, at most 60 a second.
///
/// Frames that answer user input have the same limit, counted separately.
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

    /// Milliseconds since the start.
    var milliseconds: Int { Int((alarm.now - started) / .milliseconds(1)) }

    /// Returns whether a frame may be drawn now; if not, sets the alarm for the time when it may.
    ///
    ///
    /// A frame that answers user input waits only for the previous such frame, not for frames of an animation.
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

    /// Sets the alarm for the screen's next tick, or stops it if nothing moves.
    func setTick(milliseconds: Int?) {
        if let milliseconds { alarm.set(in: .milliseconds(max(1, milliseconds))) } else { alarm.stop() }
    }

    func stop() { alarm.stop() }
}
