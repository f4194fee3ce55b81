import Raster

/// A processor that scales a picture down to fit a box and never scales up.
///
/// The sides become `round(side · k)` with k = min(1, both ratios), at least 1, so that neither exceeds the box. The
/// filter is Lanczos 3, as in `ResizingImageProcessor`. As the first step it scales during decoding; JPEG and WebP are
/// first scaled by their own decoders.
public struct DownsamplingImageProcessor: ImageProcessor {
    /// The size of the box in pixels.
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
