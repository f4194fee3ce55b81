import Raster

/// Scales a picture to a reference size, up or down; `fill` covers it without cropping.
///
/// The sides become `round(side · k)` with k = min (fit) or max (fill) of the two ratios; stretch takes the size as it
/// is. In the model's words: none is `stretch`, aspectFit is `fit`, aspectFill is `fill`. Sampling is libvips'
/// `thumbnail_image`: Lanczos 3 on premultiplied colour.
public struct ResizingImageProcessor: ImageProcessor {
    /// In pixels.
    public let referenceSize: PixelSize
    /// `.stretch` by default, as in the model.
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
