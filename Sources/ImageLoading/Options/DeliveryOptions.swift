/// Options for the delivery of images and events.
public struct DeliveryOptions: Sendable {
    /// A modifier for every delivered image, whatever tier it comes from; nil by default.
    public var imageModifier: (any ImageModifier)?
    /// The isolation in which event handlers run; the main actor by default.
    public var callbackQueue = CallbackQueue.main

    public init() {}
}

/// The isolation in which event handlers run.
public enum CallbackQueue: Sendable {
    /// The main actor.
    case main
    /// The context in which the event occurs: no hop, and no order between the events of different loads.
    case untouch
    /// An executor of the caller.
    case executor(any TaskExecutor)
}

/// A change to each delivered image; cached images stay unchanged.
public protocol ImageModifier: Sendable {
    /// Returns the image to deliver; called once for each load, and not for partial images.
    func modify(_ image: Image) -> Image
}

/// An image modifier that calls a closure.
public struct AnyImageModifier: ImageModifier {
    private let body: @Sendable (Image) -> Image

    /// Creates a modifier that calls the closure.
    public init(_ body: @escaping @Sendable (Image) -> Image) { self.body = body }

    public func modify(_ image: Image) -> Image { body(image) }
}
