import Retrying
import Synchronization

/// A relay that passes one load's events to their handler, in order.
///
/// A handler that is isolated to an actor runs there; any other runs where the queue says.
final class EventRelay: Sendable {
    /// A handler that keeps its isolation; calling it needs a task.
    typealias Handler = @isolated(any) @Sendable (LoadEvent) -> Void

    private let queue: CallbackQueue
    private let handler: Handler
    /// The same handler, called where the event occurs; nil if the handler needs a hop.
    private let direct: (@Sendable (LoadEvent) -> Void)?
    private let state = Mutex((events: [LoadEvent](), drain: Task<Void, Never>?.none, isClosed: false))

    init(_ queue: CallbackQueue, _ handler: @escaping Handler) {
        self.queue = queue
        self.handler = handler
        direct = nil
    }

    /// Creates a relay that calls the handler where the event occurs, if the queue is `untouch`.
    init(_ queue: CallbackQueue, direct handler: @escaping @Sendable (LoadEvent) -> Void) {
        self.queue = queue
        self.handler = handler
        if case .untouch = queue { direct = handler } else { direct = nil }
    }

    /// Sends an event to the handler; does nothing after `finish()`.
    func send(_ event: LoadEvent) {
        if let direct {
            if !state.withLock(\.isClosed) { direct(event) }
            return
        }
        state.withLock { state in
            guard !state.isClosed else { return }
            state.events.append(event)
            if state.drain == nil { state.drain = startDrain() }
        }
    }

    /// Waits until every event so far has been handled; later events are dropped.
    func finish() async {
        let drain = state.withLock { state in
            state.isClosed = true
            return state.drain
        }
        await drain?.value
    }

    /// Starts the task that calls the handler; a handler without isolation runs on the task's preferred executor.
    private func startDrain() -> Task<Void, Never> {
        Task(executorPreference: queue.executor) { await self.drain() }
    }

    private func drain() async {
        while let events = takeEvents() {
            for event in events { await handler(event) }
        }
    }

    /// Removes and returns the waiting events; if there are none, ends the drain under the same lock and returns nil.
    private func takeEvents() -> [LoadEvent]? {
        state.withLock { state in
            guard !state.events.isEmpty else {
                state.drain = nil
                return nil
            }
            defer { state.events = [] }
            return state.events
        }
    }
}
