/// Blurs with a Gaussian; edges are extended.
///
/// The weight of a pixel at distance d is e^(−d² / 2σ²), over all weights, on premultiplied colour, so that what is
/// transparent does not bleed in. Weights below a hundredth of the largest are left out.
public struct BlurImageProcessor: ImageProcessor {
    /// The Gaussian's σ in pixels; values outside 0…100 are clamped, 0 changes nothing.
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
