/// What is handed out, as against what is stored, and where.
public struct DeliveryOptions: Sendable {
    /// Edits each picture that is handed out, from whatever tier; nil by default.
    public var imageModifier: (any ImageModifier)?
    /// Where event handlers run; on the main actor by default.
    public var callbackQueue = CallbackQueue.main

    public init() {}
}

/// The isolation in which event handlers run.
public enum CallbackQueue: Sendable {
    /// The main actor.
    case main
    /// Wherever the event comes up: no hop, no order between the events of different loads.
    case untouch
    /// An executor of the caller's own.
    case executor(any TaskExecutor)
}

/// Edits each picture on its way out; what the caches keep stays as it is.
public protocol ImageModifier: Sendable {
    /// The picture to hand out; called once for each load, and not for partial pictures.
    func modify(_ image: Image) -> Image
}

/// An image modifier made of a closure.
public struct AnyImageModifier: ImageModifier {
    private let body: @Sendable (Image) -> Image

    /// A modifier that calls the closure.
    public init(_ body: @escaping @Sendable (Image) -> Image) { self.body = body }

    public func modify(_ image: Image) -> Image { body(image) }
}
