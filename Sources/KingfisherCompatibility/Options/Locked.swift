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
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { state.withLock { body(&$0) } }
}

extension Duration {
    /// Creates a duration from seconds, which are clamped to 0…1e9 (about 30 years); 0 if they are no number.
    init(seconds: Double) { self = .seconds(seconds.isNaN ? 0 : min(max(seconds, 0), 1e9)) }
}
