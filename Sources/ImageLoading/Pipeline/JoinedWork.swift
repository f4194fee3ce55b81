import Synchronization

/// Runs equal work once for all who want it at the same time.
///
/// Each waiter gets exactly one result. A cancelled waiter gets `.cancelled` at once and leaves; the work itself is
/// cancelled when its last waiter has left.
actor JoinedWork<Key: Hashable & Sendable, Value: Sendable, Event: Sendable> {
    typealias EventHandler = @Sendable (Event) -> Void
    typealias Work = @Sendable (@escaping EventHandler) async throws(ImageError) -> Value

    private struct Running {
        let generation: Int
        let task: Task<Void, Never>
        let audience: Audience<Event>
    }

    private var state = JoinState<Key>()
    private var running: [Key: Running] = [:]
    private var continuations: [Int: CheckedContinuation<Result<Value, ImageError>, Never>] = [:]
    private var lastNumber = 0

    /// The result of the work for a key; `work` runs unless equal work runs already.
    func value(
        for key: Key, onEvent: @escaping EventHandler = { _ in }, work: @escaping Work
    ) async throws(ImageError) -> Value {
        lastNumber += 1
        let waiter = lastNumber
        let result: Result<Value, ImageError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: .failure(.cancelled)) }
                continuations[waiter] = continuation
                join(key, waiter: waiter, onEvent: onEvent, work: work)
            }
        } onCancel: {
            Task { await self.leave(key, waiter: waiter) }
        }
        return try result.get()
    }

    /// How many wait for the work of a key now.
    func waiterCount(for key: Key) -> Int { state.waiterCount(for: key) }

    private func join(_ key: Key, waiter: Int, onEvent: @escaping EventHandler, work: @escaping Work) {
        if state.join(key, waiter: waiter) == .start { start(key, generation: waiter, work: work) }
        running[key]?.audience.add(onEvent, for: waiter)
    }

    private func start(_ key: Key, generation: Int, work: @escaping Work) {
        let audience = Audience<Event>()
        let task = Task {
            let result: Result<Value, ImageError>
            do throws(ImageError) {
                result = .success(try await work(audience.send))
            } catch {
                result = .failure(error)
            }
            self.finish(key, generation: generation, result: result)
        }
        running[key] = Running(generation: generation, task: task, audience: audience)
    }

    private func leave(_ key: Key, waiter: Int) {
        guard let continuation = continuations.removeValue(forKey: waiter) else { return }
        running[key]?.audience.remove(waiter)
        if state.leave(key, waiter: waiter) == .cancel { running.removeValue(forKey: key)?.task.cancel() }
        continuation.resume(returning: .failure(.cancelled))
    }

    /// Work that was cancelled and replaced meanwhile has nobody left to tell.
    private func finish(_ key: Key, generation: Int, result: Result<Value, ImageError>) {
        guard running[key]?.generation == generation else { return }
        running[key] = nil
        for waiter in state.finish(key) { continuations.removeValue(forKey: waiter)?.resume(returning: result) }
    }
}

/// Those who hear the events of one piece of work, in the order they happen.
private final class Audience<Event: Sendable>: Sendable {
    private let state = Mutex((handlers: [Int: @Sendable (Event) -> Void](), newest: Event?.none))

    /// Adds a listener, who hears at once where the work stands.
    func add(_ handler: @escaping @Sendable (Event) -> Void, for waiter: Int) {
        let newest = state.withLock { state in
            state.handlers[waiter] = handler
            return state.newest
        }
        if let newest { handler(newest) }
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
