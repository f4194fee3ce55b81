import ImageLoading
import Raster
import TerminalGraphics

/// An animation in its place: which frame is due when, its pixels, and the colours that neighbouring frames share.
@MainActor
final class AnimationPlayback {
    /// At most so many frames in a row share a palette, so that within a scene nothing shimmers.
    private static let sceneLength = 32

    /// The colours of a scene, and how far its first frame is from them.
    private struct SceneColors {
        /// nil where none are needed.
        let palette: Palette?
        var distance = 0.0

        /// Whether another frame is about as near to them.
        func suit(_ pixels: PixelBuffer) -> Bool {
            palette.map { $0.meanDistance(to: pixels) <= distance * 1.5 + 4 } ?? false
        }
    }

    private let frames: AnimationFrames
    private let timeline: AnimationTimeline
    private let size: PixelSize
    private let background: Color?
    /// How often to look what is due, in milliseconds.
    let frameInterval: Int
    /// Milliseconds from one frame to the next, on average.
    let frameDelay: Int
    private var colors: [Int: SceneColors] = [:]
    private var paletteEncoder: PictureEncoder?

    /// Frames pass through the processor, then fit the box, and must come out in `size`, as the picture itself did.
    ///
    /// With a `background` a checkerboard shows through their transparent parts.
    init(
        _ animation: Animation, within box: PixelSize, size: PixelSize, processor: any ImageProcessor,
        background: Color? = nil
    ) {
        frames = AnimationFrames(animation, within: box, processor: processor)
        timeline = AnimationTimeline(animation)
        self.size = size
        self.background = background
        frameInterval = animation.frameInterval
        let length = animation.delays.reduce(Duration.zero, +)
        frameDelay = max(1, (length / max(1, animation.frameCount)).milliseconds)
    }

    /// The frame that is due after so many milliseconds.
    func frame(at milliseconds: Int) -> Int { timeline.position(at: .milliseconds(milliseconds)).frame }

    /// Milliseconds until nothing changes any more; nil for what plays for ever.
    var length: Int? { timeline.end.map(\.milliseconds) }

    /// A frame's pixels; nil when it is damaged or not of the size that all have.
    func pixels(of frame: Int) async -> PixelBuffer? {
        guard let pixels = try? await frames.frame(at: frame), pixels.size == size else { return nil }
        return background.map { pixels.checkered(around: $0) } ?? pixels
    }

    /// The colours for a frame; nil where none are needed.
    func palette(of frame: Int, _ pixels: PixelBuffer, _ encoder: PictureEncoder) async -> Palette? {
        if encoder != paletteEncoder { (colors, paletteEncoder) = ([:], encoder) }
        if let known = colors[frame] { return known.palette }
        let start = frame / Self.sceneLength * Self.sceneLength
        let scene = (start..<frame).reversed().lazy.compactMap { self.colors[$0] }.first
        if let scene, scene.suit(pixels) {
            colors[frame] = scene
            return scene.palette
        }
        let palette = await encoder.paletteIfInexact(for: [pixels])
        colors[frame] = SceneColors(palette: palette, distance: palette?.meanDistance(to: pixels) ?? 0)
        return palette
    }
}

extension Animation {
    /// Milliseconds between two looks that miss no frame: what divides all delays, and at least 20.
    var frameInterval: Int {
        var divisor = 0
        for delay in delays {
            var (left, right) = (divisor, max(1, delay.milliseconds))
            while right != 0 { (left, right) = (right, left % right) }
            divisor = left
            if divisor <= 20 { break }
        }
        return max(20, divisor)
    }
}
