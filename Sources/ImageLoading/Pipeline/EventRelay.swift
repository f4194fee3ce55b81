import Synchronization

/// A relay that passes one load's events to their handler, in order and in the requested isolation.
final class EventRelay: Sendable {
    private let queue: CallbackQueue
    private let handler: @Sendable (LoadEvent) -> Void
    private let state = Mutex((events: [LoadEvent](), drain: Task<Void, Never>?.none, isClosed: false))

    init(_ queue: CallbackQueue, _ handler: @escaping @Sendable (LoadEvent) -> Void) {
        self.queue = queue
        self.handler = handler
    }

    /// Sends an event to the handler; does nothing after `finish()`.
    func send(_ event: LoadEvent) {
        if case .untouch = queue {
            if !state.withLock(\.isClosed) { handler(event) }
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

    private func startDrain() -> Task<Void, Never> {
        switch queue {
        case .main: Task { @MainActor in self.drain() }
        case .executor(let executor): Task(executorPreference: executor) { self.drain() }
        case .untouch: Task { self.drain() }
        }
    }

    private func drain() {
        while let events = takeEvents() {
            for event in events { handler(event) }
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
