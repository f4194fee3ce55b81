import ImageLoading
import Raster
import TerminalGraphics

extension HeldPicture {
    /// A picture as the pipeline gives it for a box, with what plays it when it moves.
    ///
    /// `processor` is what was done to it before it was made to fit the box. With a `background` a checkerboard shows
    /// through the transparent parts of a still picture.
    @MainActor
    init(
        _ image: Image, of source: Source, processor: any ImageProcessor, within box: PixelSize,
        isPartial: Bool = false, background: Color? = nil
    ) {
        let animation = isPartial ? nil : image.animation.flatMap { $0.frameCount > 1 ? $0 : nil }
        let ground = animation == nil ? background : nil
        self.init(
            ground.map { image.pixels.checkered(around: $0) } ?? image.pixels,
            name: "\(source.cacheKey)\n\(processor.identifier)\n\(box)",
            playback: animation.map {
                AnimationPlayback($0, within: box, size: image.size, processor: processor)
            },
            isPartial: isPartial)
    }
}
