import Dispatch
import ImageLoading

/// Wakes whoever set it, once, after a while; setting it anew takes the place of what was set.
@MainActor
protocol Alarm: AnyObject {
    /// Since some moment in the past.
    var now: Duration { get }

    func set(in delay: Duration)
    func stop()
}

/// Rings on the main queue: one timer that is set anew, in place of a sleeping task for every frame.
final class MainAlarm: Alarm {
    private let timer: any DispatchSourceTimer

    /// `wake` is called on the main queue.
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
