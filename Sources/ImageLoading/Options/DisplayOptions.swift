/// Options for the display of an image, to be applied by the code that shows it.
///
/// With `keepCurrentImageWhileLoading` the current image replaces the placeholder. If there is no current image, the
/// placeholder is shown. After a failure `onFailureImage` applies in both cases.
public struct DisplayOptions: Sendable {
    /// The transition from the current content to a new image; none by default.
    public var transition = ImageTransition.none
    /// Whether the transition also runs for images from a cache; false by default.
    public var forceTransition = false
    /// Whether the current image stays visible until the new one is ready; false by default.
    public var keepCurrentImageWhileLoading = false
    /// The content after a failure; unset by default, so that the placeholder stays.
    public var onFailureImage = FailureImage.unset
    /// Whether no placeholder is shown if the image is ready within 16 ms, as cached images are; false by default.
    public var loadDiskFileSynchronously = false

    public init() {}

    /// Returns the transition for an image from a tier: none for a cached one, unless it is forced.
    public func transition(from cacheType: ImageCache.CacheType) -> ImageTransition {
        cacheType == .none || forceTransition ? transition : .none
    }
}

/// The content to show after a failure.
public enum FailureImage: Sendable, Hashable {
    /// The current content: the placeholder or the previous image.
    case unset
    /// No image.
    case none
    /// The given image.
    case image(Image)
}
