/// How a picture takes its place on a screen; whoever shows pictures goes by these.
///
/// Where they meet: a picture on show is kept (`keepCurrentImageWhileLoading`), so no placeholder is seen; where
/// nothing is shown yet, the placeholder stands all the same. A failure then goes by `onFailureImage`, kept picture or
/// not.
public struct DisplayOptions: Sendable {
    /// How a new picture replaces what is there; none by default.
    public var transition = ImageTransition.none
    /// Runs the transition for pictures out of a cache too; off by default.
    public var forceTransition = false
    /// Keeps the picture on show until the new one is there; off by default.
    public var keepCurrentImageWhileLoading = false
    /// What stands there after a failure; unset by default: the placeholder stays.
    public var onFailureImage = FailureImage.unset
    /// Shows nothing in between when the picture comes within a frame, 16 ms, as one out of a cache does; off by
    /// default.
    public var loadDiskFileSynchronously = false

    public init() {}

    /// The transition for a picture that came from a tier: none for one out of a cache, unless it is forced.
    public func transition(from cacheType: ImageCache.CacheType) -> ImageTransition {
        cacheType == .none || forceTransition ? transition : .none
    }
}

/// What stands in a picture's place after a failure.
public enum FailureImage: Sendable, Hashable {
    /// Whatever stood there: the placeholder, or the kept picture.
    case unset
    /// Nothing.
    case none
    /// This picture.
    case image(Image)
}
