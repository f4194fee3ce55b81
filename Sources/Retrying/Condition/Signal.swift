import Synchronization

/// A value under a lock that tasks can await a state of.
///
/// Every change is held against each waiter's test at once, so that a state that lasts only a moment is not missed.
final class Signal<Value: Sendable>: Sendable {
    private struct Waiter {
        let test: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Value?, Never>
    }

    private struct State {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        var nextID = 0
    }

    private let state: Mutex<State>

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    var value: Value { state.withLock { $0.value } }

    /// Changes the value and wakes the waiters whose test it now passes; returns what `change` returns.
    @discardableResult
    func update<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result {
        let (result, value, passed) = state.withLock { state in
            let result = change(&state.value)
            let passed = state.waiters.filter { $0.value.test(state.value) }
            passed.keys.forEach { state.waiters[$0] = nil }
            return (result, state.value, passed.values.map(\.continuation))
        }
        passed.forEach { $0.resume(returning: value) }
        return result
    }

    /// The first value from now on that passes the test, or nil when the waiting task is cancelled before.
    func first(where test: @escaping @Sendable (Value) -> Bool) async -> Value? {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { register(Waiter(test: test, continuation: $0), as: id) }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume(returning: nil)
        }
    }

    private func register(_ waiter: Waiter, as id: Int) {
        // Cancelled before this lock: the handler found no waiter. Cancelled after it: the handler finds this one.
        let answer: Value?? = state.withLock { state in
            if Task.isCancelled { return .some(nil) }
            if waiter.test(state.value) { return .some(state.value) }
            state.waiters[id] = waiter
            return nil
        }
        if let answer { waiter.continuation.resume(returning: answer) }
    }
}
