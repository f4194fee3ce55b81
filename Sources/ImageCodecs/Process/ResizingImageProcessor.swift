import Raster

/// A processor that scales a picture to a reference size, up or down; `fill` covers it without cropping.
///
/// The sides become `round(side · k)`, where k is the smaller (`fit`) or larger (`fill`) of both ratios; `stretch` uses
/// the reference size itself. Kingfisher's `none` is `stretch`, `aspectFit` is `fit`, and `aspectFill` is `fill`.
/// Resampling is Lanczos 3 on premultiplied colour, as libvips does it, which takes three times as long. As the first
/// step, a JPEG is first scaled by its own decoder.
public struct ResizingImageProcessor: ImageProcessor, Hashable {
    /// The reference size in pixels.
    public let referenceSize: PixelSize
    /// The fit mode; `.stretch` by default, as in Kingfisher.
    public let mode: FitMode

    /// Creates a processor for a reference size in pixels.
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
        let target = target(of: image.size)
        try checkResult(target)
        return target == image.size ? image : image.with(image.pixels.resampled(to: target))
    }

    /// Returns the size of the result for a picture of a size.
    func target(of size: PixelSize) -> PixelSize { size.scaled(to: referenceSize, mode: mode, upscale: true) }
}

/// A processor that scales a picture down to fit a box and never scales up.
///
/// The sides become `round(side · k)` with k = min(1, both ratios), at least 1, so that neither exceeds the box. The
/// filter is Lanczos 3, as in `ResizingImageProcessor`. As the first step it scales during decoding; JPEG and WebP are
/// first scaled by their own decoders.
public struct DownsamplingImageProcessor: ImageProcessor {
    /// The size of the box in pixels.
    public let size: PixelSize

    /// Creates a processor for a box in pixels.
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
        return image.with(image.pixels.resampled(to: image.size.scaled(to: size)))
    }
}

/// A processor that crops the picture to a box of `size` at the position `anchor`.
///
/// The resulting sides are `min(side, requested)`. The box begins at `round(anchor · (side − kept))`: an anchor of 0
/// keeps the left or top, 1 the right or bottom.
public struct CroppingImageProcessor: ImageProcessor, Hashable {
    /// A relative position in the picture: 0 is the left or top, 1 the right or bottom.
    public struct Anchor: Sendable, Hashable {
        /// The horizontal position from 0 (left) to 1 (right).
        public let x: Double
        /// The vertical position from 0 (top) to 1 (bottom).
        public let y: Double

        /// Creates an anchor; the values are clamped to 0…1.
        public init(x: Double, y: Double) {
            self.x = x.limited(to: 0...1)
            self.y = y.limited(to: 0...1)
        }

        /// The centre of the picture.
        public static let center = Anchor(x: 0.5, y: 0.5)
    }

    /// The size of the box in pixels.
    public let size: PixelSize
    /// The position of the box; the centre by default.
    public let anchor: Anchor

    /// Creates a processor for a box in pixels, in the centre by default.
    public init(size: PixelSize, anchor: Anchor = .center) {
        self.size = size
        self.anchor = anchor
    }

    public var identifier: String {
        var text = IdentifierText("crop", "\(size.width)x\(size.height)")
        text.add("anchor", anchor == .center ? nil : "\(NumberText.text(anchor.x)) \(NumberText.text(anchor.y))")
        return text.whole
    }

    public func scaled(by factor: Double) -> any ImageProcessor {
        CroppingImageProcessor(size: size.multiplied(by: factor), anchor: anchor)
    }

    public func process(_ image: Image) throws(CodecError) -> Image {
        guard !size.isEmpty else {
            throw .processor(.processingFailed(identifier: identifier, "the box must have an area"))
        }
        let part = part(of: image.size)
        return part.size == image.size ? image : image.with(image.pixels.part(part))
    }

    /// Returns the part of a picture that is kept.
    func part(of whole: PixelSize) -> PixelRect {
        var part = PixelRect(PixelSize(width: min(size.width, whole.width), height: min(size.height, whole.height)))
        part.x = Int((anchor.x * Double(whole.width - part.size.width)).rounded())
        part.y = Int((anchor.y * Double(whole.height - part.size.height)).rounded())
        return part
    }
}

extension ImageProcessor where Self == DownsamplingImageProcessor {
    /// Returns a processor that scales down to fit a box in pixels.
    public static func downsample(to size: PixelSize) -> Self { Self(size: size) }
}

extension ImageProcessor where Self == ResizingImageProcessor {
    /// Returns a processor that scales to a size in pixels; the mode is `stretch` by default.
    public static func resize(to size: PixelSize, mode: FitMode = .stretch) -> Self {
        Self(referenceSize: size, mode: mode)
    }
}

extension ImageProcessor where Self == CroppingImageProcessor {
    /// Returns a processor that crops to a size in pixels, around the centre by default.
    public static func crop(to size: PixelSize, anchor: CroppingImageProcessor.Anchor = .center) -> Self {
        Self(size: size, anchor: anchor)
    }
}
