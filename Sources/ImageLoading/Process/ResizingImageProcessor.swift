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
        try check(referenceSize)
        let target = image.size.scaled(to: referenceSize, mode: mode, upscale: true)
        try check(target)
        return target == image.size ? image : image.with(try VipsOperations.resize(image.pixels, to: target))
    }

    /// What is too large to decode is too large to make.
    private func check(_ size: PixelSize) throws(ImageError) {
        let limits = DecodeLimits.standard
        guard !size.isEmpty, size.width <= limits.side, size.height <= limits.side, size.area <= limits.pixels else {
            throw .processor(.processingFailed(identifier: identifier, "no picture may have \(size) pixels"))
        }
    }
}
