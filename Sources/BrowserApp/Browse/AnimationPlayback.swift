import ImageLoading
import Raster
import TerminalGraphics

/// An animation on the screen: which frame is due when, its pixels, and the palette that neighbouring frames share.
@MainActor
final class AnimationPlayback {
    /// Maximum number of consecutive frames that share a palette; sharing prevents flicker within a scene.
    private static let sceneLength = 32

    /// The palette of a scene and the distance of its first frame from it.
    private struct SceneColors {
        /// Nil if the encoder needs no palette.
        let palette: Palette?
        var distance = 0.0

        /// Returns whether the palette fits another frame about as well.
        func suit(_ pixels: PixelBuffer) -> Bool {
            palette.map { $0.meanDistance(to: pixels) <= distance * 1.5 + 4 } ?? false
        }
    }

    private let frames: AnimationFrames
    private let timeline: AnimationTimeline
    private let size: PixelSize
    private let background: Color?
    /// The interval in milliseconds at which to check for a new frame.
    let frameInterval: Int
    /// The average time between frames in milliseconds.
    let frameDelay: Int
    private var colors: [Int: SceneColors] = [:]
    private var paletteEncoder: PictureEncoder?

    /// - Parameters:
    ///   - size: The size that the processed frames must have, as the picture itself has; others are dropped.
    ///   - background: The colour around which a checkerboard is drawn behind transparent parts; nil for none.
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

    /// Returns the frame that is due after a number of milliseconds.
    func frame(at milliseconds: Int) -> Int { timeline.position(at: .milliseconds(milliseconds)).frame }

    /// The length in milliseconds; nil for an endless animation.
    var length: Int? { timeline.end.map(\.milliseconds) }

    /// Returns a frame's pixels, or nil if it is damaged or does not have the expected size.
    func pixels(of frame: Int) async -> PixelBuffer? {
        guard let pixels = try? await frames.frame(at: frame), pixels.size == size else { return nil }
        return background.map { pixels.checkered(around: $0) } ?? pixels
    }

    /// Returns the palette for a frame, or nil if the encoder needs none.
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
    /// The interval in milliseconds that misses no frame: the greatest common divisor of all delays, at least 20.
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
