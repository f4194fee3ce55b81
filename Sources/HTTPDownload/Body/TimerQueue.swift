import Retrying
import Synchronization

extension RunClock {
    /// Schedules an action, which runs in a task unless the alarm is cancelled first.
    ///
    /// Transfers have several alarms of half a minute but end within milliseconds. So the alarms of the system's clock
    /// share one queue, where a cancelled alarm costs nothing.
    func alarm(after duration: Duration, _ action: @escaping @Sendable () -> Void) -> Alarm {
        if isSystem { return TimerQueue.shared.add(after: duration, action) }
        let end = now() + duration
        let task = Task { if await wait(until: end) { action() } }
        return Alarm { task.cancel() }
    }
}

/// The timers of the system's clock; tasks sleep until the earliest of them only.
final class TimerQueue: Sendable {
    private struct State {
        var last = 0
        var timers: [Int: (deadline: ContinuousClock.Instant, action: @Sendable () -> Void)] = [:]
        /// The times at which a task will wake.
        var wakes: Set<ContinuousClock.Instant> = []
    }

    static let shared = TimerQueue()

    private let state = Mutex(State())

    /// Adds a timer, whose action runs in a task.
    @discardableResult func add(after duration: Duration, _ action: @escaping @Sendable () -> Void) -> Alarm {
        let deadline = ContinuousClock.now + duration
        let timer = state.withLock { state in
            state.last += 1
            state.timers[state.last] = (deadline, action)
            wake(at: deadline, &state)
            return state.last
        }
        return Alarm { self.state.withLock { _ = $0.timers.removeValue(forKey: timer) } }
    }

    private func wake(at deadline: ContinuousClock.Instant, _ state: inout State) {
        guard state.wakes.allSatisfy({ $0 > deadline }) else { return }
        state.wakes.insert(deadline)
        Task {
            try? await Task.sleep(until: deadline, clock: .continuous)
            self.fire(deadline)
        }
    }

    private func fire(_ wake: ContinuousClock.Instant) {
        let due = state.withLock { state in
            state.wakes.remove(wake)
            let now = ContinuousClock.now
            let due = state.timers.filter { $0.value.deadline <= now }
            for timer in due.keys { state.timers[timer] = nil }
            if let next = state.timers.values.map(\.deadline).min() { self.wake(at: next, &state) }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for timer in due { timer.action() }
    }
}

/// A scheduled action that can be cancelled.
struct Alarm: Sendable {
    let cancel: @Sendable () -> Void
}
