import Dispatch
import ImageLoading

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
