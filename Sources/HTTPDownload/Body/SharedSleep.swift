import Synchronization

/// Many sleeps, and alarms, on one timer.
///
/// The system's timers cannot be taken back: a cancelled sleep keeps its timer, and some memory, until its time. Each
/// transfer sleeps several times for half a minute and is done within milliseconds, so that a long list would have
/// hundred thousands of them.
final class SharedSleep: Sendable {
    private struct Sleeper: Sendable {
        let due: Duration
        /// Called with whether its time has come.
        let wake: @Sendable (_ isRested: Bool) -> Void
    }

    private struct State: Sendable {
        var sleepers: [Int: Sleeper] = [:]
        var lastID = 0
        /// When the timer wakes up; nil where none runs.
        var wakeUp: Duration?
    }

    private let now: @Sendable () -> Duration
    private let timer: @Sendable (Duration) async throws -> Void
    private let state = Mutex(State())

    /// Nobody sleeps; `timer` sleeps for a time.
    init(now: @escaping @Sendable () -> Duration, timer: @escaping @Sendable (Duration) async throws -> Void) {
        self.now = now
        self.timer = timer
    }

    /// How many sleep.
    var count: Int { state.withLock(\.sleepers.count) }

    /// Sleeps for the time; throws `CancellationError` when cancelled first.
    func sleep(_ duration: Duration) async throws {
        let due = now() + duration
        let id = nextID()
        let isRested = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let sleeper = Sleeper(due: due) { continuation.resume(returning: $0) }
                // A cancel before this found nobody to wake.
                if !add(sleeper, as: id, unless: { Task.isCancelled }) { sleeper.wake(false) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.wake(false)
        }
        if !isRested { throw CancellationError() }
    }

    /// Does something after a time; answers what to cancel it by.
    func alarm(after duration: Duration, _ action: @escaping @Sendable () -> Void) -> Int {
        let id = nextID()
        add(Sleeper(due: now() + duration) { _ in action() }, as: id)
        return id
    }

    /// Takes an alarm back, if it is not too late.
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

    /// One that was overtaken by an earlier one ends without effect.
    private func startTimer(until due: Duration) {
        Task {
            var due: Duration? = due
            while let moment = due {
                try? await timer(max(.zero, moment - now()))
                due = wake(at: moment)
            }
        }
    }

    /// Wakes who is due; answers when to look again, nil when that is not for this timer.
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
