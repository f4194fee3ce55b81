/// A large value behind a reference: a copy is one count, a change makes a value of its own.
@propertyWrapper
public struct Shared<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    /// Takes the first value.
    public init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    /// The value; setting it leaves the copies that were made before as they are.
    public var wrappedValue: Value {
        get { storage.value }
        set { storage = Storage(newValue) }
    }
}
