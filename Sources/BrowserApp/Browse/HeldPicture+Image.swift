import ImageLoading
import Raster

extension HeldPicture {
    /// A picture as the pipeline gives it for a box, with what plays it when it moves.
    ///
    /// `processor` is what was done to it before it was made to fit the box.
    @MainActor
    init(
        _ image: Image, of source: Source, processor: any ImageProcessor, within box: PixelSize,
        isPartial: Bool = false
    ) {
        let animation = isPartial ? nil : image.animation.flatMap { $0.frameCount > 1 ? $0 : nil }
        self.init(
            image.pixels, name: "\(source.cacheKey)\n\(processor.identifier)\n\(box)",
            playback: animation.map {
                AnimationPlayback($0, within: box, size: image.size, processor: processor)
            },
            isPartial: isPartial)
    }
}
