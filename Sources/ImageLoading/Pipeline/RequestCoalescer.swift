import DequeModule
import Synchronization

/// Work that runs once for all callers that request it at the same time.
///
/// Each waiter receives exactly one result. A cancelled waiter receives `.cancelled` at once; the work itself is
/// cancelled when its last waiter is cancelled. Work that ends with a store can publish its value earlier, for waiters
/// that do not wait for the store.
final class RequestCoalescer<Key: Hashable & Sendable, Value: Sendable, Event: Sendable>: Sendable {
    typealias EventHandler = @Sendable (Event) -> Void
    typealias Work = @Sendable (Sharing) async throws(ImageError) -> Value

    /// The connection of the work to its waiters.
    struct Sharing: Sendable {
        /// Sends an event to all waiters.
        let send: EventHandler
        /// Gives the value to the waiters that do not wait for the store; later such waiters get it at once.
        ///
        /// - Returns: The request of the first waiter that waits for the store; nil if there is none. After nil, new
        ///   waiters start new work.
        let publish: @Sendable (Value) -> LoadRequest?
    }

    private typealias Continuation = CheckedContinuation<Result<Value, ImageError>, Never>

    private struct Waiter {
        let number: Int
        let continuation: Continuation
        /// The request whose store the waiter waits for; nil if the value suffices.
        let storing: LoadRequest?
    }

    private struct Running {
        let generation: Int
        let task: Task<Void, Never>
        let fanOut: EventFanOut<Event>
        /// In the order in which they joined; never empty.
        var waiters: [Waiter] = []
        /// The value that was published before its store.
        var published: Value?
    }

    private struct State {
        var running: [Key: Running] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// Returns the result of the work for a key; runs `work` unless equal work is running.
    ///
    /// - Parameter storing: The request whose store is waited for; nil (the default) to return as soon as the work
    ///   publishes a value.
    func value(
        for key: Key, storing: LoadRequest? = nil, onEvent: @escaping EventHandler = { _ in }, work: @escaping Work
    ) async throws(ImageError) -> Value {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let result: Result<Value, ImageError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(number: number, continuation: continuation, storing: storing)
                switch join(key, waiter, onEvent: onEvent, work: work) {
                case .waits(let fanOut): fanOut.deliver()
                case .ends(let result): continuation.resume(returning: result)
                }
            }
        } onCancel: {
            leave(key, number)
        }
        return try result.get()
    }

    /// Returns the number of waiters for the work of a key.
    func waiterCount(for key: Key) -> Int { state.withLock { $0.running[key]?.waiters.count ?? 0 } }

    private enum Joining {
        case waits(EventFanOut<Event>)
        case ends(Result<Value, ImageError>)
    }

    /// Adds a waiter, unless its task is cancelled already or a published value suffices.
    private func join(
        _ key: Key, _ waiter: Waiter, onEvent: @escaping EventHandler, work: @escaping Work
    ) -> Joining {
        state.withLock { state in
            // This check is inside the lock: a later cancellation finds the waiter.
            guard !Task.isCancelled else { return .ends(.failure(.cancelled)) }
            if waiter.storing == nil, let value = state.running[key]?.published { return .ends(.success(value)) }
            let fanOut = state.running[key]?.fanOut ?? EventFanOut<Event>()
            fanOut.add(onEvent, for: waiter.number)
            if state.running[key] == nil {
                let task = start(key, generation: waiter.number, fanOut, work)
                state.running[key] = Running(generation: waiter.number, task: task, fanOut: fanOut)
            }
            state.running[key]?.waiters.append(waiter)
            return .waits(fanOut)
        }
    }

    private func start(
        _ key: Key, generation: Int, _ fanOut: EventFanOut<Event>, _ work: @escaping Work
    ) -> Task<Void, Never> {
        Task {
            let result: Result<Value, ImageError>
            do throws(ImageError) {
                let sharing = Sharing(send: fanOut.send) { self.publish($0, key, generation: generation) }
                result = .success(try await work(sharing))
            } catch {
                result = .failure(error)
            }
            self.finish(key, generation: generation, result: result)
        }
    }

    private func publish(_ value: Value, _ key: Key, generation: Int) -> LoadRequest? {
        let (served, storing) = state.withLock { state -> ([Waiter], LoadRequest?) in
            guard var running = state.running[key], running.generation == generation else { return ([], nil) }
            let served = running.waiters.filter { $0.storing == nil }
            running.waiters.removeAll { $0.storing == nil }
            for waiter in served { running.fanOut.remove(waiter.number) }
            running.published = value
            state.running[key] = running.waiters.isEmpty ? nil : running
            return (served, running.waiters.first?.storing)
        }
        for waiter in served { waiter.continuation.resume(returning: .success(value)) }
        return storing
    }

    /// Removes a waiter; after the last one the work is cancelled and forgotten, so that a later waiter starts new
    /// work.
    private func leave(_ key: Key, _ number: Int) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let index = state.running[key]?.waiters.firstIndex(where: { $0.number == number }) else {
                return (nil, nil)
            }
            let waiter = state.running[key]?.waiters.remove(at: index)
            state.running[key]?.fanOut.remove(number)
            guard state.running[key]?.waiters.isEmpty == true else { return (waiter, nil) }
            return (waiter, state.running.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        waiter?.continuation.resume(returning: .failure(.cancelled))
    }

    /// Cancels running work; its waiters receive `.cancelled`.
    func cancel(where isMeant: (Key) -> Bool) {
        let cancelled = state.withLock { state in
            state.running.keys.filter(isMeant).compactMap { state.running.removeValue(forKey: $0) }
        }
        for running in cancelled {
            running.task.cancel()
            for waiter in running.waiters {
                running.fanOut.remove(waiter.number)
                waiter.continuation.resume(returning: .failure(.cancelled))
            }
        }
    }

    /// Resumes the waiters with the result; cancelled and replaced work has none left.
    private func finish(_ key: Key, generation: Int, result: Result<Value, ImageError>) {
        let waiters = state.withLock { state -> [Waiter] in
            guard state.running[key]?.generation == generation else { return [] }
            return state.running.removeValue(forKey: key)?.waiters ?? []
        }
        for waiter in waiters { waiter.continuation.resume(returning: result) }
    }
}

/// The listeners for the events of one piece of work, which receive them in order.
private final class EventFanOut<Event: Sendable>: Sendable {
    typealias Handler = @Sendable (Event) -> Void

    private struct Listener {
        let waiter: Int
        let receive: Handler
    }

    private struct State {
        var listeners: [Listener] = []
        var newest: Event?
        /// The events that have not been delivered yet.
        var pending: Deque<(event: Event, listeners: [Listener])> = []
        var isDelivering = false
    }

    private let state = Mutex(State())

    /// Adds a listener; `deliver()` first sends it the newest event.
    func add(_ handler: @escaping Handler, for waiter: Int) {
        let listener = Listener(waiter: waiter, receive: handler)
        state.withLock { state in
            state.listeners.append(listener)
            if let newest = state.newest { state.pending.append((newest, [listener])) }
        }
    }

    func remove(_ waiter: Int) { state.withLock { $0.listeners.removeAll { $0.waiter == waiter } } }

    @Sendable func send(_ event: Event) {
        let listeners = state.withLock { state -> [Listener]? in
            state.newest = event
            guard !state.isDelivering, state.pending.isEmpty else {
                state.pending.append((event, state.listeners))
                return nil
            }
            state.isDelivering = true
            return state.listeners
        }
        guard let listeners else { return deliver() }
        for listener in listeners { listener.receive(event) }
        deliverPending()
    }

    /// Delivers the pending events, unless another thread does so already and delivers them too.
    func deliver() {
        let isMine = state.withLock { state in
            guard !state.isDelivering, !state.pending.isEmpty else { return false }
            state.isDelivering = true
            return true
        }
        if isMine { deliverPending() }
    }

    /// Delivers the pending events; only the thread that has set `isDelivering` may call it.
    private func deliverPending() {
        while let next = next() {
            for listener in next.listeners { listener.receive(next.event) }
        }
    }

    /// Removes and returns the next event to deliver; nil ends the delivery.
    private func next() -> (event: Event, listeners: [Listener])? {
        state.withLock { state in
            let next = state.pending.popFirst()
            state.isDelivering = next != nil
            return next
        }
    }
}
