import ImageLoading
import Raster
import TerminalGraphics

extension HeldPicture {
    /// A picture as the pipeline gives it for a box, with what plays it when it moves.
    ///
    /// `processor` is what was done to it before it was made to fit the box. A checkerboard around the `background` shows
    /// through transparent parts, unless the processor has made them.
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
    /// Whether it makes parts of a picture transparent for its look: no checkerboard is to show through them.
    var clearsCorners: Bool {
        steps.contains { step in
            if let rotation = step as? RotateImageProcessor { return rotation.angle.remainder(dividingBy: 90) != 0 }
            return step is RoundCornerImageProcessor
        }
    }
}
