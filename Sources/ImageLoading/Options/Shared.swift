/// A large value in shared storage: a copy only adds a reference, and a change creates new storage.
@propertyWrapper
public struct Shared<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    /// Creates storage for the first value.
    public init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    /// The value; setting it does not change earlier copies.
    public var wrappedValue: Value {
        get { storage.value }
        set { storage = Storage(newValue) }
    }
}
