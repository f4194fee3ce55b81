import Synchronization

/// A clock whose time moves only when told.
///
/// Made with `advancesItself: true`, a sleep moves the time to its own end and returns at once.
public final class ManualClock: Clock, Sendable {
    /// A moment, as the time since the clock was made.
    public struct Instant: InstantProtocol {
        public var offset: Duration

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct Watcher {
        let isReached: @Sendable (_ sleeperCount: Int) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [Int: Watcher] = [:]
        var nextID = 0

        mutating func newID() -> Int {
            nextID += 1
            return nextID
        }

        /// Removes and returns the watchers whose number of sleepers is reached.
        mutating func removeReachedWatchers() -> [Watcher] {
            let reached = watchers.filter { $0.value.isReached(sleepers.count) }
            reached.keys.forEach { watchers[$0] = nil }
            return Array(reached.values)
        }
    }

    private let state = Mutex(State())
    private let advancesItself: Bool

    public init(advancesItself: Bool = false) {
        self.advancesItself = advancesItself
    }

    public var now: Instant { state.withLock { $0.now } }
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// How many tasks sleep on this clock now.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Moves the time on and wakes every sleeper whose end has come, the earliest first.
    public func advance(by duration: Duration) {
        let (woken, reached) = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            due.keys.forEach { state.sleepers[$0] = nil }
            return (due.values.sorted { $0.deadline < $1.deadline }, state.removeReachedWatchers())
        }
        woken.forEach { $0.continuation.resume(returning: true) }
        reached.forEach { $0.continuation.resume() }
    }

    /// Moves the time on to the earliest end of a sleep and wakes who sleeps until then; nothing where nobody sleeps.
    public func advanceToNextSleeper() {
        let wait = state.withLock { state in
            state.sleepers.values.map(\.deadline).min().map { state.now.duration(to: $0) }
        }
        if let wait { advance(by: wait) }
    }

    /// Returns as soon as at least `count` tasks sleep on this clock, or the calling task is cancelled.
    public func untilSleepers(_ count: Int = 1) async { await wait { $0 >= count } }

    /// Returns as soon as no task sleeps on this clock, or the calling task is cancelled.
    public func untilNoSleepers() async { await wait { $0 == 0 } }

    private func wait(until isReached: @escaping @Sendable (_ sleeperCount: Int) -> Bool) async {
        let id = state.withLock { $0.newID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled || isReached(state.sleepers.count) { return true }
                    state.watchers[id] = Watcher(isReached: isReached, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.watchers.removeValue(forKey: id) }?.continuation.resume()
        }
    }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        if advancesItself { return state.withLock { $0.now = max($0.now, deadline) } }
        let id = state.withLock { $0.newID() }
        let isWoken = await withTaskCancellationHandler {
            await withCheckedContinuation { add(Sleeper(deadline: deadline, continuation: $0), as: id) }
        } onCancel: {
            let (sleeper, reached) = state.withLock { state in
                (state.sleepers.removeValue(forKey: id), state.removeReachedWatchers())
            }
            sleeper?.continuation.resume(returning: false)
            reached.forEach { $0.continuation.resume() }
        }
        if !isWoken { throw CancellationError() }
    }

    private func add(_ sleeper: Sleeper, as id: Int) {
        let (isWoken, reached) = state.withLock { state -> (Bool?, [Watcher]) in
            if Task.isCancelled { return (false, []) }
            if sleeper.deadline <= state.now { return (true, []) }
            state.sleepers[id] = sleeper
            return (nil, state.removeReachedWatchers())
        }
        if let isWoken { sleeper.continuation.resume(returning: isWoken) }
        reached.forEach { $0.continuation.resume() }
    }
}
