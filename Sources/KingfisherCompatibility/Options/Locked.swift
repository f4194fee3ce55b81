import Synchronization

/// A value that any thread may read and replace.
final class Locked<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value {
        get { state.withLock(\.self) }
        set { state.withLock { $0 = newValue } }
    }

    /// Changes the value under the lock.
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        state.withLock { value in
            var copy = value
            defer { value = copy }
            return body(&copy)
        }
    }
}
