import Dispatch
import ImageLoading

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

/// A one-shot timer; setting it again replaces the earlier time.
@MainActor
protocol Alarm: AnyObject {
    /// The time since a fixed moment in the past.
    var now: Duration { get }

    func set(in delay: Duration)
    func stop()
}

/// An alarm on the main queue; one reused timer replaces a sleeping task for every frame.
final class MainAlarm: Alarm {
    private let timer: any DispatchSourceTimer

    /// - Parameter wake: Called on the main queue when the time has come.
    init(wake: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: .main)
        timer.setEventHandler(handler: wake)
        timer.activate()
    }

    isolated deinit { timer.cancel() }

    var now: Duration { MonotonicTime.now() }

    func set(in delay: Duration) {
        timer.schedule(deadline: .now() + .nanoseconds(Int(max(delay, .zero) / .nanoseconds(1))))
    }

    func stop() { timer.schedule(deadline: .distantFuture) }
}
