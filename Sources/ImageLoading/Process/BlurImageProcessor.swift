/// Blurs with a Gaussian; edges are extended.
public struct BlurImageProcessor: ImageProcessor {
    /// The Gaussian's σ in pixels; values outside 0…100 are clamped, 0 changes nothing.
    public let blurRadius: Double

    public init(blurRadius: Double) {
        self.blurRadius = blurRadius.isFinite ? min(max(blurRadius, 0), 100) : 0
    }

    public var identifier: String { "blur(\(blurRadius))" }

    public func process(_ image: Image) throws(ImageError) -> Image {
        blurRadius == 0 ? image : image.with(try VipsOperations.blur(image.pixels, sigma: blurRadius))
    }
}
