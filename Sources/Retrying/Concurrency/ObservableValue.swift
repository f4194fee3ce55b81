import Synchronization

/// A value behind a lock; tasks can wait until it passes a test.
///
/// Each change runs the test of every waiter at once. So waiters do not miss a value that lasts only a moment.
package final class ObservableValue<Value: Sendable>: Sendable {
    private struct Waiter {
        let test: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Value?, Never>
    }

    private struct State {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        var lastID = 0
    }

    private let state: Mutex<State>

    package init(_ value: Value) { state = Mutex(State(value: value)) }

    package var value: Value { state.withLock { $0.value } }

    /// The number of tasks that wait for a value.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Changes the value and resumes the waiters whose test it passes; returns the result of `change`.
    @discardableResult
    package func update<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result {
        let (result, value, passed) = state.withLock { state in
            let result = change(&state.value)
            let passed = state.waiters.filter { $0.value.test(state.value) }
            passed.keys.forEach { state.waiters[$0] = nil }
            return (result, state.value, passed.values.map(\.continuation))
        }
        passed.forEach { $0.resume(returning: value) }
        return result
    }

    /// Waits for a value that passes the test and returns it; returns nil when the task is cancelled first.
    package func first(where test: @escaping @Sendable (Value) -> Bool) async -> Value? {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A cancellation before this point found no waiter to resume, but `isCancelled` is true.
                let result: Value?? = state.withLock { state in
                    if Task.isCancelled { return .some(nil) }
                    if test(state.value) { return .some(state.value) }
                    state.waiters[id] = Waiter(test: test, continuation: continuation)
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume(returning: nil)
        }
    }
}
