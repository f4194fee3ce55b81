import DequeModule
import Synchronization

/// Work that runs once for all callers that request it at the same time.
///
/// Each waiter receives exactly one result. A cancelled waiter receives `.cancelled` at once; the work itself is
/// cancelled when its last waiter is cancelled.
final class RequestCoalescer<Key: Hashable & Sendable, Value: Sendable, Event: Sendable>: Sendable {
    typealias EventHandler = @Sendable (Event) -> Void
    typealias Work = @Sendable (@escaping EventHandler) async throws(ImageError) -> Value

    private typealias Waiter = CheckedContinuation<Result<Value, ImageError>, Never>

    private struct Running {
        let generation: Int
        let task: Task<Void, Never>
        let audience: Audience<Event>
        /// In the order in which they joined; never empty.
        var waiters: [(number: Int, waiter: Waiter)]
    }

    private struct State {
        var running: [Key: Running] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// Returns the result of the work for a key; runs `work` unless equal work is running.
    func value(
        for key: Key, onEvent: @escaping EventHandler = { _ in }, work: @escaping Work
    ) async throws(ImageError) -> Value {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let result: Result<Value, ImageError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let audience = join(key, continuation, as: number, onEvent: onEvent, work: work) {
                    audience.tell()
                } else {
                    continuation.resume(returning: .failure(.cancelled))
                }
            }
        } onCancel: {
            leave(key, number)
        }
        return try result.get()
    }

    /// Returns the number of waiters for the work of a key.
    func waiterCount(for key: Key) -> Int { state.withLock { $0.running[key]?.waiters.count ?? 0 } }

    /// Adds a waiter; returns the event listeners of the work, or nil if the task is cancelled already.
    private func join(
        _ key: Key, _ waiter: Waiter, as number: Int, onEvent: @escaping EventHandler, work: @escaping Work
    ) -> Audience<Event>? {
        state.withLock { state in
            // This check is inside the lock: a later cancellation finds the waiter.
            guard !Task.isCancelled else { return nil }
            let audience = state.running[key]?.audience ?? Audience<Event>()
            audience.add(onEvent, for: number)
            if state.running[key] == nil {
                let task = start(key, generation: number, audience, work)
                state.running[key] = Running(generation: number, task: task, audience: audience, waiters: [])
            }
            state.running[key]?.waiters.append((number, waiter))
            return audience
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

    /// Removes a waiter; the last one takes the work with it, so that a later waiter starts new work.
    private func leave(_ key: Key, _ number: Int) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let index = state.running[key]?.waiters.firstIndex(where: { $0.number == number }) else {
                return (nil, nil)
            }
            let waiter = state.running[key]?.waiters.remove(at: index).waiter
            state.running[key]?.audience.remove(number)
            guard state.running[key]?.waiters.isEmpty == true else { return (waiter, nil) }
            return (waiter, state.running.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        waiter?.resume(returning: .failure(.cancelled))
    }

    /// Resumes the waiters with the result; cancelled and replaced work has none left.
    private func finish(_ key: Key, generation: Int, result: Result<Value, ImageError>) {
        let waiters = state.withLock { state -> [Waiter] in
            guard state.running[key]?.generation == generation else { return [] }
            return state.running.removeValue(forKey: key)?.waiters.map(\.waiter) ?? []
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }
}

/// The listeners for the events of one piece of work, which receive them in order.
private final class Audience<Event: Sendable>: Sendable {
    typealias Handler = @Sendable (Event) -> Void

    private struct Listener {
        let waiter: Int
        let hear: Handler
    }

    private struct State {
        var listeners: [Listener] = []
        var newest: Event?
        /// The events that have not been delivered yet.
        var pending: Deque<(event: Event, listeners: [Listener])> = []
        var isTelling = false
    }

    private let state = Mutex(State())

    /// Adds a listener; `tell()` first sends it the newest event.
    func add(_ handler: @escaping Handler, for waiter: Int) {
        let listener = Listener(waiter: waiter, hear: handler)
        state.withLock { state in
            state.listeners.append(listener)
            if let newest = state.newest { state.pending.append((newest, [listener])) }
        }
    }

    func remove(_ waiter: Int) { state.withLock { $0.listeners.removeAll { $0.waiter == waiter } } }

    @Sendable func send(_ event: Event) {
        let listeners = state.withLock { state -> [Listener]? in
            state.newest = event
            guard !state.isTelling, state.pending.isEmpty else {
                state.pending.append((event, state.listeners))
                return nil
            }
            state.isTelling = true
            return state.listeners
        }
        guard let listeners else { return tell() }
        for listener in listeners { listener.hear(event) }
        tellPending()
    }

    /// Delivers the pending events, unless another thread does so already and delivers them too.
    func tell() {
        let isMine = state.withLock { state in
            guard !state.isTelling, !state.pending.isEmpty else { return false }
            state.isTelling = true
            return true
        }
        if isMine { tellPending() }
    }

    /// Delivers the pending events; only the thread that has set `isTelling` may call it.
    private func tellPending() {
        while let next = next() {
            for listener in next.listeners { listener.hear(next.event) }
        }
    }

    /// Removes and returns the next event to deliver; nil ends the delivery.
    private func next() -> (event: Event, listeners: [Listener])? {
        state.withLock { state in
            let next = state.pending.popFirst()
            state.isTelling = next != nil
            return next
        }
    }
}
