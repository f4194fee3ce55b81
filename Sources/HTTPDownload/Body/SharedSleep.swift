import Synchronization

/// Sleeps and alarms that share one system timer.
///
/// The system's timers cannot be removed: a cancelled sleep keeps its timer and some memory until its time. Each
/// transfer sleeps several times for half a minute but finishes within milliseconds, so that a long list would
/// accumulate a hundred thousand timers.
final class SharedSleep: Sendable {
    private struct Sleeper: Sendable {
        let due: Duration
        /// Called with true when the time has come, with false after a cancellation.
        let wake: @Sendable (_ isRested: Bool) -> Void
    }

    private struct State: Sendable {
        var sleepers: [Int: Sleeper] = [:]
        var lastID = 0
        /// The time at which the timer fires; nil if none runs.
        var wakeUp: Duration?
    }

    private let now: @Sendable () -> Duration
    private let timer: @Sendable (Duration) async throws -> Void
    private let state = Mutex(State())

    /// Creates a timer without sleepers; `timer` sleeps for a duration.
    init(now: @escaping @Sendable () -> Duration, timer: @escaping @Sendable (Duration) async throws -> Void) {
        self.now = now
        self.timer = timer
    }

    /// The number of sleeps and alarms that are pending.
    var count: Int { state.withLock(\.sleepers.count) }

    /// Sleeps for the duration; throws `CancellationError` if the task is cancelled first.
    func sleep(_ duration: Duration) async throws {
        let due = now() + duration
        let id = nextID()
        let isRested = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let sleeper = Sleeper(due: due) { continuation.resume(returning: $0) }
                // A cancellation before this point found no sleeper to wake.
                if !add(sleeper, as: id, unless: { Task.isCancelled }) { sleeper.wake(false) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.wake(false)
        }
        if !isRested { throw CancellationError() }
    }

    /// Schedules an action.
    ///
    /// - Returns: The number that cancels the alarm.
    func alarm(after duration: Duration, _ action: @escaping @Sendable () -> Void) -> Int {
        let id = nextID()
        add(Sleeper(due: now() + duration) { _ in action() }, as: id)
        return id
    }

    /// Cancels an alarm that has not fired yet.
    func cancel(_ alarm: Int) { state.withLock { _ = $0.sleepers.removeValue(forKey: alarm) } }

    private func nextID() -> Int {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    @discardableResult
    private func add(_ sleeper: Sleeper, as id: Int, unless isRefused: () -> Bool = { false }) -> Bool {
        let (isIn, startsTimer) = state.withLock { state in
            guard !isRefused() else { return (false, false) }
            state.sleepers[id] = sleeper
            guard state.wakeUp.map({ sleeper.due < $0 }) ?? true else { return (true, false) }
            state.wakeUp = sleeper.due
            return (true, true)
        }
        if startsTimer { startTimer(until: sleeper.due) }
        return isIn
    }

    /// Starts a timer, which ends without effect if a timer with an earlier wake-up replaces it.
    private func startTimer(until due: Duration) {
        Task {
            var due: Duration? = due
            while let moment = due {
                try? await timer(max(.zero, moment - now()))
                due = wake(at: moment)
            }
        }
    }

    /// Wakes the sleepers that are due.
    ///
    /// - Returns: The time of the next wake-up, or nil if this timer is no longer needed.
    private func wake(at moment: Duration) -> Duration? {
        let time = max(now(), moment)
        let (woken, next) = state.withLock { state -> ([Sleeper], Duration?) in
            guard state.wakeUp == moment else { return ([], nil) }
            let due = state.sleepers.filter { $0.value.due <= time }
            for id in due.keys { state.sleepers[id] = nil }
            state.wakeUp = state.sleepers.values.lazy.map(\.due).min()
            return (due.values.sorted { $0.due < $1.due }, state.wakeUp)
        }
        for sleeper in woken { sleeper.wake(true) }
        return next
    }
}
