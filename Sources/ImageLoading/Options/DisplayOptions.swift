/// Options for the display of an image, to be applied by the code that shows it.
///
/// With `keepCurrentImageWhileLoading` the current image replaces the placeholder. If there is no current image, the
/// placeholder is shown. After a failure `onFailureImage` applies in both cases.
public struct DisplayOptions: Sendable {
    /// The transition from the current content to a new image; none by default.
    public var transition = ImageTransition.none
    /// Runs the transition for images from a cache too; off by default.
    public var forceTransition = false
    /// Keeps the current image visible until the new one is ready; off by default.
    public var keepCurrentImageWhileLoading = false
    /// The content after a failure; unset by default, so that the placeholder stays.
    public var onFailureImage = FailureImage.unset
    /// Shows no placeholder if the image is ready within 16 ms, as cached images are; off by default.
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
