/// A processor that blurs with a Gaussian; edge pixels are repeated beyond the edges.
///
/// The weight at distance d is e^(−d² / 2σ²), divided by the sum of all weights. Colours are premultiplied, so that
/// transparent pixels do not bleed in. Weights below a hundredth of the largest are ignored.
public struct BlurImageProcessor: ImageProcessor {
    /// The Gaussian's σ in pixels, clamped to 0…100; 0 leaves the picture unchanged.
    public let blurRadius: Double

    public init(blurRadius: Double) {
        self.blurRadius = blurRadius.isFinite ? blurRadius.limited(to: 0...100) : 0
    }

    public var identifier: String { "blur(\(NumberText.text(blurRadius)))" }

    public func scaled(by factor: Double) -> any ImageProcessor { BlurImageProcessor(blurRadius: blurRadius * factor) }

    public func process(_ image: Image) throws(CodecError) -> Image {
        image.with(image.pixels.blurred(sigma: blurRadius))
    }
}
