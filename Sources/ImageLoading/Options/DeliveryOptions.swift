import Retrying

/// Options for the delivery of images and events.
public struct DeliveryOptions: Sendable {
    /// A modifier for every delivered image, whatever tier it comes from; nil by default.
    public var imageModifier: (any ImageModifier)?
    /// The isolation in which event handlers run; the main actor by default.
    public var callbackQueue = CallbackQueue.main

    public init() {}
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
