import Raster

/// A transition from an old image to a new one.
public struct ImageTransition: Sendable {
    /// The visual effect of a transition.
    public enum Effect: Sendable {
        /// The new image appears at once.
        case none
        /// The old image fades into the new one.
        case fade
        /// The image turns over like a card; the left side comes towards the viewer.
        case flipFromLeft
        /// The image turns over; the right side comes towards the viewer.
        case flipFromRight
        /// The image turns over; the upper side comes towards the viewer.
        case flipFromTop
        /// The image turns over; the lower side comes towards the viewer.
        case flipFromBottom
        /// The new image replaces the old one from left to right.
        case wipe
        /// The new image replaces the old one pixel by pixel, in a pseudo-random order.
        case dissolve
        /// A closure that returns the image at a progress of 0…1 between the old image and the new one.
        ///
        /// The old image is nil if there is none.
        case custom(@Sendable (_ from: PixelBuffer?, _ to: PixelBuffer, _ progress: Double) -> PixelBuffer)
    }

    /// The visual effect.
    public var effect: Effect
    /// The duration; 200 ms by default.
    public var duration: Duration

    /// Creates a transition of 200 ms by default; it is invisible if the duration is not positive.
    public init(_ effect: Effect, duration: Duration = .milliseconds(200)) {
        self.effect = effect
        self.duration = duration
    }

    /// A transition that shows the new image at once.
    public static let none = ImageTransition(.none, duration: .zero)

    /// Returns a fade of a duration in seconds, as the others below: `.fade(0.3)`.
    public static func fade(_ seconds: Double) -> ImageTransition { ImageTransition(.fade, seconds) }
    public static func flipFromLeft(_ seconds: Double) -> ImageTransition { ImageTransition(.flipFromLeft, seconds) }
    public static func flipFromRight(_ seconds: Double) -> ImageTransition { ImageTransition(.flipFromRight, seconds) }
    public static func flipFromTop(_ seconds: Double) -> ImageTransition { ImageTransition(.flipFromTop, seconds) }
    public static func flipFromBottom(_ seconds: Double) -> ImageTransition {
        ImageTransition(.flipFromBottom, seconds)
    }
    public static func wipe(_ seconds: Double) -> ImageTransition { ImageTransition(.wipe, seconds) }
    public static func dissolve(_ seconds: Double) -> ImageTransition { ImageTransition(.dissolve, seconds) }

    private init(_ effect: Effect, _ seconds: Double) {
        // Longer than any transition, and far from the largest duration.
        self.init(effect, duration: .seconds(seconds.isFinite ? min(max(0, seconds), 3600) : 0))
    }

    /// Whether the transition has a visible effect.
    public var isVisible: Bool {
        if case .none = effect { return false }
        return duration > .zero
    }
}
