import Synchronization

/// A channel that delivers values to any number of subscribers, to each in the order of sending.
package final class Broadcast<Value: Sendable>: Sendable {
    private struct Subscriber {
        let receive: @Sendable (Value) -> Void
        let finish: @Sendable () -> Void
    }

    private struct State {
        var subscribers: [Int: Subscriber] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())
    private let count = Atomic<Int>(0)

    package init() {}

    deinit { state.withLock { Array($0.subscribers.values) }.forEach { $0.finish() } }

    /// Whether there are no subscribers; costs one atomic read.
    package var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    /// Calls every subscriber with a value before it returns.
    ///
    /// The value is not evaluated if there are no subscribers.
    package func send(_ value: @autoclosure () -> Value) {
        guard !isEmpty else { return }
        let value = value()
        // Sending under the lock gives all subscribers the same order.
        state.withLock { state in
            for subscriber in state.subscribers.values { subscriber.receive(value) }
        }
    }

    /// Calls a handler with each value that is sent from now on.
    ///
    /// The handler must return quickly and must not use the broadcast.
    ///
    /// - Parameter onFinish: Called when the broadcast is released.
    /// - Returns: The subscription, which ends with `cancel()` or when it is released.
    package func subscribe(
        _ handler: @escaping @Sendable (Value) -> Void, onFinish: @escaping @Sendable () -> Void = {}
    ) -> Subscription {
        let id = add(Subscriber(receive: handler, finish: onFinish))
        return Subscription { [weak self] in self?.remove(id) }
    }

    private func add(_ subscriber: Subscriber) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.subscribers[state.lastID] = subscriber
            count.store(state.subscribers.count, ordering: .relaxed)
            return state.lastID
        }
    }

    private func remove(_ id: Int) {
        state.withLock { state in
            state.subscribers[id] = nil
            count.store(state.subscribers.count, ordering: .relaxed)
        }
    }
}

/// A subscription of a handler, which ends with `cancel()` or when it is released.
package final class Subscription: Sendable {
    private let remove: @Sendable () -> Void

    package init(remove: @escaping @Sendable () -> Void) { self.remove = remove }

    deinit { remove() }

    /// Ends the subscription; a second call does nothing.
    package func cancel() { remove() }
}
