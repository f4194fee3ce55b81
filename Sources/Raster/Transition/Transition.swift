/// A transition between two pictures; each frame depends only on the progress.
public enum Transition: Sendable {
    /// Shows the next picture at once.
    case none
    /// Cross-fades the pictures.
    case fade
    /// Uncovers the next picture from left to right.
    case wipe
    /// Shows the next picture in small scattered squares.
    case dissolve
    /// Turns the picture over like a card with the next picture on its back; the named side moves towards the viewer.
    case flipFromLeft, flipFromRight, flipFromTop, flipFromBottom
    /// Custom frames from two pictures of equal size, for a progress above 0 and below 1.
    case custom(@Sendable (_ from: PixelBuffer, _ to: PixelBuffer, _ progress: Double) -> PixelBuffer)

    /// Returns the frame at a progress from 0, the old picture, to 1, the next; it has the next picture's size.
    ///
    /// An old picture of another size is centred over the background, which is black by default; without an old picture
    /// the background replaces it. Progress is clamped, and NaN counts as 1. At 1 the frame is `to` itself.
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

extension PixelBuffer {
    /// Centres the picture in `target`: crops it, or surrounds it with the background.
    func centered(in target: PixelSize, over background: Color) -> PixelBuffer {
        guard size != target else { return self }
        var result = PixelBuffer(size: target, filledWith: background)
        let columns = min(size.width, target.width)
        let (sourceLeft, left) = ((size.width - columns) / 2, (target.width - columns) / 2)
        let rows = min(size.height, target.height)
        let (sourceTop, top) = ((size.height - rows) / 2, (target.height - rows) / 2)
        result.withMutableBytes { output in
            for row in 0..<rows {
                let source = ((sourceTop + row) * size.width + sourceLeft) * 4
                let start = ((top + row) * target.width + left) * 4
                for offset in 0..<columns * 4 { output[start + offset] = bytes[source + offset] }
            }
        }
        return result
    }
}
