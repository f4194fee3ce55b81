import Synchronization

/// Runs equal work once for all who want it at the same time.
///
/// Each waiter gets exactly one result. A cancelled waiter gets `.cancelled` at once and leaves; the work itself is
/// cancelled when its last waiter has left.
final class JoinedWork<Key: Hashable & Sendable, Value: Sendable, Event: Sendable>: Sendable {
    typealias EventHandler = @Sendable (Event) -> Void
    typealias Work = @Sendable (@escaping EventHandler) async throws(ImageError) -> Value

    private typealias Waiter = CheckedContinuation<Result<Value, ImageError>, Never>

    private struct Running {
        let generation: Int
        let task: Task<Void, Never>
        let audience: Audience<Event>
    }

    private struct State {
        var joins = JoinState<Key>()
        var running: [Key: Running] = [:]
        var waiters: [Int: Waiter] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// The result of the work for a key; `work` runs unless equal work runs already.
    func value(
        for key: Key, onEvent: @escaping EventHandler = { _ in }, work: @escaping Work
    ) async throws(ImageError) -> Value {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let result: Result<Value, ImageError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                switch join(key, continuation, as: number, onEvent: onEvent, work: work) {
                case .joined(let newest): newest.map(onEvent)
                case .cancelled: continuation.resume(returning: .failure(.cancelled))
                }
            }
        } onCancel: {
            leave(key, number)
        }
        return try result.get()
    }

    /// How many wait for the work of a key now.
    func waiterCount(for key: Key) -> Int { state.withLock { $0.joins.waiterCount(for: key) } }

    private enum Joining {
        /// Hears of the work from now on, and is to be told what happened last.
        case joined(newest: Event?)
        case cancelled
    }

    private func join(
        _ key: Key, _ waiter: Waiter, as number: Int, onEvent: @escaping EventHandler, work: @escaping Work
    ) -> Joining {
        state.withLock { state in
            // Within the lock: a cancel after this finds the waiter.
            guard !Task.isCancelled else { return .cancelled }
            state.waiters[number] = waiter
            let isFirst = state.joins.join(key, waiter: number) == .start
            let audience = isFirst ? Audience<Event>() : state.running[key]?.audience
            let newest = audience?.add(onEvent, for: number)
            if isFirst, let audience {
                let task = start(key, generation: number, audience, work)
                state.running[key] = Running(generation: number, task: task, audience: audience)
            }
            return .joined(newest: newest)
        }
    }

    private func start(
        _ key: Key, generation: Int, _ audience: Audience<Event>, _ work: @escaping Work
    ) -> Task<Void, Never> {
        Task {
            let result: Result<Value, ImageError>
            do throws(ImageError) {
                result = .success(try await work(audience.send))
            } catch {
                result = .failure(error)
            }
            self.finish(key, generation: generation, result: result)
        }
    }

    private func leave(_ key: Key, _ number: Int) {
        let (waiter, work) = state.withLock { state -> (Waiter?, Running?) in
            guard let waiter = state.waiters.removeValue(forKey: number) else { return (nil, nil) }
            state.running[key]?.audience.remove(number)
            let isLast = state.joins.leave(key, waiter: number) == .cancel
            return (waiter, isLast ? state.running.removeValue(forKey: key) : nil)
        }
        work?.task.cancel()
        waiter?.resume(returning: .failure(.cancelled))
    }

    /// Work that was cancelled and replaced meanwhile has nobody left to tell.
    private func finish(_ key: Key, generation: Int, result: Result<Value, ImageError>) {
        let waiters = state.withLock { state -> [Waiter] in
            guard state.running[key]?.generation == generation else { return [] }
            state.running[key] = nil
            return state.joins.finish(key).compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }
}

/// Those who hear the events of one piece of work, in the order they happen.
private final class Audience<Event: Sendable>: Sendable {
    private let state = Mutex((handlers: [Int: @Sendable (Event) -> Void](), newest: Event?.none))

    /// Adds a listener; answers what happened last.
    func add(_ handler: @escaping @Sendable (Event) -> Void, for waiter: Int) -> Event? {
        state.withLock { state in
            state.handlers[waiter] = handler
            return state.newest
        }
    }

    func remove(_ waiter: Int) { state.withLock { $0.handlers[waiter] = nil } }

    @Sendable func send(_ event: Event) {
        let handlers = state.withLock { state in
            state.newest = event
            return Array(state.handlers.values)
        }
        for handler in handlers { handler(event) }
    }
}
