import ImageLoading
import Raster
import TerminalGraphics

/// A decoded picture that is on the screen or will be.
struct HeldPicture {
    enum Role {
        case picture
        /// Shown in place of a picture that is not ready; may be animated.
        case placeholder
        /// Several pictures side by side.
        case strip
    }

    let pixels: PixelBuffer
    /// Identifies the content.
    let key: String
    /// Nil for a still picture.
    let playback: AnimationPlayback?
    /// Whether a better version will replace it soon, so that it is encoded for speed.
    let isPartial: Bool
    let role: Role

    /// - Parameter name: Identifies the source of the pixels and the processing.
    init(
        _ pixels: PixelBuffer, name: String, playback: AnimationPlayback? = nil, isPartial: Bool = false,
        role: Role = .picture
    ) {
        self.pixels = pixels
        self.playback = playback
        self.isPartial = isPartial
        self.role = role
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

extension HeldPicture {
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

extension ImageProcessor {
    /// Whether the processor makes parts transparent on purpose, so that no checkerboard should show through them.
    var clearsCorners: Bool {
        steps.contains { step in
            if let rotation = step as? RotateImageProcessor { return rotation.angle.remainder(dividingBy: 90) != 0 }
            return step is RoundCornerImageProcessor
        }
    }
}
