import Raster

/// A transition from an old image to a new one.
public struct ImageTransition: Sendable {
    /// The visual effect.
    public var effect: Transition
    /// The duration; 200 ms by default.
    public var duration: Duration

    /// Creates a transition of 200 ms by default; it is invisible if the duration is not positive.
    public init(_ effect: Transition, duration: Duration = .milliseconds(200)) {
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

    private init(_ effect: Transition, _ seconds: Double) {
        // Longer than any transition, and far from the largest duration.
        self.init(effect, duration: .seconds(seconds.isFinite ? min(max(0, seconds), 3600) : 0))
    }

    /// Whether the transition has a visible effect.
    public var isVisible: Bool {
        if case .none = effect { return false }
        return duration > .zero
    }
}
