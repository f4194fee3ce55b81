import Raster

/// Keeps a part of the picture: a box of `size`, placed by `anchor`, as far as it lies inside.
///
/// The kept sides are `min(side, asked)`; the box begins at `round(anchor · (side − kept))`, so an anchor of 0 keeps
/// the left or top, 1 the right or bottom.
public struct CroppingImageProcessor: ImageProcessor {
    /// A place in the picture: 0 is the left or top, 1 the right or bottom.
    public struct Anchor: Sendable, Hashable {
        /// 0, the left, to 1, the right.
        public let x: Double
        /// 0, the top, to 1, the bottom.
        public let y: Double

        /// Clamped to 0…1.
        public init(x: Double, y: Double) {
            self.x = x.limited(to: 0...1)
            self.y = y.limited(to: 0...1)
        }

        /// The middle.
        public static let center = Anchor(x: 0.5, y: 0.5)
    }

    /// In pixels.
    public let size: PixelSize
    /// The middle by default.
    public let anchor: Anchor

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
        let kept = PixelSize(width: min(size.width, image.size.width), height: min(size.height, image.size.height))
        guard kept != image.size else { return image }
        let left = Int((anchor.x * Double(image.size.width - kept.width)).rounded())
        let top = Int((anchor.y * Double(image.size.height - kept.height)).rounded())
        return image.with(image.pixels.rearranged(to: kept) { ($0 + left, $1 + top) })
    }
}
