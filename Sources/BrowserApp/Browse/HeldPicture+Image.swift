import ImageLoading
import Raster
import TerminalGraphics

extension HeldPicture {
    /// Creates a picture from the pipeline's result for a box, with its playback if it is animated.
    ///
    ///
    /// - Parameters:
    /// - processor: The processor that was applied before the picture was fitted to the box.
    /// - background: The colour of the checkerboard behind transparent parts; unused if the processor made them.
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
