import AlcedoBrowserCore
import ImageLoading
import Raster
import TerminalGraphics

/// A decoded picture that is on the screen or will be.
struct DecodedPicture {
    enum Role {
        case picture
        /// One of many that the terminal gets as strips.
        case part
        /// Shown in place of a picture that is not ready; may be animated.
        case placeholder
        /// Several pictures side by side.
        case strip
        /// Several pictures side by side, with the text between them.
        case lattice
    }

    let pixels: PixelBuffer
    /// Identifies the content.
    let key: String
    /// Nil for a still picture.
    let playback: AnimationPlayback?
    /// Whether a better version will replace it soon, so that it is encoded for speed.
    let isPartial: Bool
    var role: Role

    /// - Parameter name: Identifies the source of the pixels and the processing.
    init(
        _ pixels: PixelBuffer, name: String, playback: AnimationPlayback? = nil, isPartial: Bool = false,
        role: Role = .picture
    ) {
        (self.pixels, self.playback, self.isPartial, self.role) = (pixels, playback, isPartial, role)
        key = Self.key(name, of: pixels)
    }

    /// The appearance to show first.
    var firstAppearance: EncodeRequest.Appearance { playback.map { .frame($0, 0) } ?? .still }

    /// Includes the pixels, because a picture loaded again under the same name may differ.
    private static func key(_ name: String, of pixels: PixelBuffer) -> String {
        var hasher = Hasher()
        pixels.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return "\(name)#\(String(hasher.finalize(), radix: 36))"
    }
}

extension DecodedPicture {
    /// Creates a picture from the pipeline's result for a box, with its playback if it is animated.
    ///
    /// - Parameters:
    ///   - processor: The processor that was applied before the picture was fitted to the box.
    ///   - background: The colour of the checkerboard behind transparent parts; unused if the processor made them.
    @MainActor
    init(
        _ image: Image, of source: Source, processor: any ImageProcessor, within box: PixelSize,
        isPartial: Bool = false, background: Color
    ) {
        let animation = isPartial ? nil : image.animation.flatMap { $0.frameCount > 1 ? $0 : nil }
        let ground = processor.clearsCorners ? nil : background
        self.init(
            ground.map { image.pixels.checkered(around: $0) } ?? image.pixels,
            name: "\(source.cacheKey)\n\(processor.identifier)\n\(box)",
            playback: animation.map {
                AnimationPlayback($0, within: box, size: image.size, processor: processor, background: ground)
            },
            isPartial: isPartial)
    }
}

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

extension PictureRegion {
    /// Returns this part of a picture, scaled to fit the box; small parts are enlarged.
    @concurrent
    func part(of image: Image, within box: PixelSize) async throws(ImageError) -> Image {
        let rect = pixels(of: image.size)
        var part = image.with(image.pixels.rearranged(to: rect.size) { (rect.x + $0, rect.y + $1) })
        // A part of an animation is shown still.
        (part.animation, part.frameCount) = (nil, 1)
        let target = rect.size.scaled(to: box, upscale: true)
        return try ImageError.wrapping { () throws(CodecError) in
            try ResizingImageProcessor(referenceSize: target).process(part)
        }
    }

    /// Returns the region in whole pixels, at least one, inside the picture.
    func pixels(of size: PixelSize) -> (x: Int, y: Int, size: PixelSize) {
        func span(_ start: Double, _ length: Double, _ whole: Int) -> (Int, Int) {
            let count = min(max(1, Int((length * Double(whole)).rounded())), max(1, whole))
            return (min(max(0, Int((start * Double(whole)).rounded())), whole - count), count)
        }
        let (x, width) = span(x, width, size.width)
        let (y, height) = span(y, height, size.height)
        return (x, y, PixelSize(width: width, height: height))
    }
}
