import Raster

/// Scales a picture down to fit a box, while decoding when it is the first step; never scales up.
///
/// The sides become `round(side · k)` with k = min(1, the two ratios), at least 1, so that neither exceeds the box.
/// Sampling as in `ResizingImageProcessor`; JPEG and WebP are scaled within their own decoders first.
public struct DownsamplingImageProcessor: ImageProcessor {
    /// In pixels.
    public let size: PixelSize

    public init(size: PixelSize) { self.size = size }

    public var identifier: String { "downsample(\(size.width)x\(size.height))" }
    public var decodeBox: PixelSize? { size.isEmpty ? nil : size }

    public func scaled(by factor: Double) -> any ImageProcessor {
        DownsamplingImageProcessor(size: size.multiplied(by: factor))
    }

    public func process(_ image: Image) throws(CodecError) -> Image {
        guard !size.isEmpty else {
            throw .processor(.processingFailed(identifier: identifier, "the box must have an area"))
        }
        return image.with(image.pixels.scaledDown(to: image.size.scaled(to: size)))
    }
}
