import Raster

/// Scales a picture to a reference size, up or down; `fill` covers it without cropping.
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

    public func process(_ image: Image) throws(ImageError) -> Image {
        let target = image.size.scaled(to: referenceSize, mode: mode, upscale: true)
        guard !target.isEmpty, target.width <= DecodeLimits.standard.side, target.height <= DecodeLimits.standard.side
        else { throw .processor(.processingFailed(identifier: identifier, "no picture has \(target) pixels")) }
        return target == image.size ? image : image.with(try VipsOperations.resize(image.pixels, to: target))
    }
}
