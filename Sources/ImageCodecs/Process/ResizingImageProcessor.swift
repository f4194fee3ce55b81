import Raster

/// A processor that scales a picture to a reference size, up or down; `fill` covers it without cropping.
///
/// The sides become `round(side · k)`, where k is the smaller (`fit`) or larger (`fill`) of both ratios; `stretch` uses
/// the reference size itself. Kingfisher's `none` is `stretch`, `aspectFit` is `fit`, and `aspectFill` is `fill`.
/// Resampling is that of libvips' `thumbnail_image`: Lanczos 3 on premultiplied colour.
public struct ResizingImageProcessor: ImageProcessor {
    /// The reference size in pixels.
    public let referenceSize: PixelSize
    /// The fit mode; `.stretch` by default, as in Kingfisher.
    public let mode: FitMode

    public init(referenceSize: PixelSize, mode: FitMode = .stretch) {
        self.referenceSize = referenceSize
        self.mode = mode
    }

    public var identifier: String { "resize(\(referenceSize.width)x\(referenceSize.height), \(mode.rawValue))" }

    public func scaled(by factor: Double) -> any ImageProcessor {
        ResizingImageProcessor(referenceSize: referenceSize.multiplied(by: factor), mode: mode)
    }

    public func process(_ image: Image) throws(CodecError) -> Image {
        try checkResult(referenceSize)
        let target = image.size.scaled(to: referenceSize, mode: mode, upscale: true)
        try checkResult(target)
        return target == image.size ? image : image.with(try VipsOperations.resize(image.pixels, to: target))
    }
}
