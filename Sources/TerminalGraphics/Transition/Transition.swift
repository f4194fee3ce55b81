import Raster

/// The way from one picture to the next, as frames that depend on nothing but the progress.
public enum Transition: Sendable {
    /// The next picture at once.
    case none
    /// One picture melts into the other.
    case fade
    /// The next picture is uncovered from left to right.
    case wipe
    /// The next picture appears in small squares scattered over the old one.
    case dissolve
    /// The picture turns over like a card, the back being the next picture; the side named comes towards the viewer.
    case flipFromLeft, flipFromRight, flipFromTop, flipFromBottom
    /// Frames of the caller's own, from two pictures of equal size and a progress above 0 and below 1.
    case custom(@Sendable (_ from: PixelBuffer, _ to: PixelBuffer, _ progress: Double) -> PixelBuffer)

    /// The frame at a progress of 0, the old picture, to 1, the next; always of the next picture's size.
    ///
    /// Without an old picture the background stands for it, and one of another size is centred over the background,
    /// which is black by default. Progress is clamped; what is no number counts as 1. At 1 the frame is `to` itself.
    public func frame(
        from: PixelBuffer?, to: PixelBuffer, progress: Double, background: Color = .black
    ) -> PixelBuffer {
        guard progress < 1, !to.size.isEmpty else { return to }
        let old = from?.centered(in: to.size, over: background) ?? PixelBuffer(size: to.size, filledWith: background)
        switch self {
        case .none: return to
        case _ where progress <= 0: return old
        case .fade: return .blend(old, to, progress)
        case .wipe: return .wipe(old, to, progress)
        case .dissolve: return .dissolve(old, to, progress)
        case .flipFromLeft: return CardFlip(.left, background: background).frame(old, to, progress)
        case .flipFromRight: return CardFlip(.right, background: background).frame(old, to, progress)
        case .flipFromTop: return CardFlip(.top, background: background).frame(old, to, progress)
        case .flipFromBottom: return CardFlip(.bottom, background: background).frame(old, to, progress)
        case .custom(let frame): return frame(old, to, progress).centered(in: to.size, over: background)
        }
    }
}
