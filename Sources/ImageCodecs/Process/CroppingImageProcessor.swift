import Raster

/// A processor that crops the picture to a box of `size` at the position `anchor`.
///
/// The resulting sides are `min(side, requested)`. The box begins at `round(anchor · (side − kept))`: an anchor of 0
/// keeps the left or top, 1 the right or bottom.
public struct CroppingImageProcessor: ImageProcessor {
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
