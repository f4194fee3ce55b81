import Raster

/// How a new picture takes the place of the old one.
public struct ImageTransition: Sendable {
    /// What it looks like.
    public enum Effect: Sendable {
        /// The new picture stands there at once.
        case none
        /// One picture melts into the other.
        case fade
        /// The picture turns over like a card; the left side comes towards the viewer.
        case flipFromLeft
        /// The same with the right side.
        case flipFromRight
        /// The same with the upper side.
        case flipFromTop
        /// The same with the lower side.
        case flipFromBottom
        /// From left to right.
        case wipe
        /// Pixel by pixel, in an order that looks random.
        case dissolve
        /// The picture at a progress of 0…1 between the old one, if there is one, and the new one.
        case custom(@Sendable (_ from: PixelBuffer?, _ to: PixelBuffer, _ progress: Double) -> PixelBuffer)
    }

    /// What it looks like.
    public var effect: Effect
    /// How long it takes; 200 ms by default.
    public var duration: Duration

    /// A transition; it takes 200 ms by default, and none where the duration is not positive.
    public init(_ effect: Effect, duration: Duration = .milliseconds(200)) {
        self.effect = effect
        self.duration = duration
    }

    /// The new picture stands there at once.
    public static let none = ImageTransition(.none, duration: .zero)

    /// The model's spelling: `.fade(.milliseconds(300))`.
    public static func fade(_ duration: Duration) -> ImageTransition { ImageTransition(.fade, duration: duration) }

    /// Whether there is anything to see of it.
    public var isVisible: Bool {
        if case .none = effect { return false }
        return duration > .zero
    }
}
