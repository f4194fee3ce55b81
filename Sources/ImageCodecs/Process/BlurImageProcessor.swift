import Raster

/// A processor that blurs with a Gaussian; edge pixels are repeated beyond the edges.
///
/// The weight at distance d is e^(−d² / 2σ²), divided by the sum of all weights. Colours are premultiplied, so that
/// transparent pixels do not bleed in. Weights below a hundredth of the largest are ignored.
public struct BlurImageProcessor: ImageProcessor {
    /// The Gaussian's σ in pixels, clamped to 0…100; 0 leaves the picture unchanged.
    public let blurRadius: Double

    /// Creates a processor for a σ in pixels.
    public init(blurRadius: Double) {
        self.blurRadius = blurRadius.isFinite ? blurRadius.limited(to: 0...100) : 0
    }

    public var identifier: String { "blur(\(NumberText.text(blurRadius)))" }

    public func scaled(by factor: Double) -> any ImageProcessor { BlurImageProcessor(blurRadius: blurRadius * factor) }

    public func process(_ image: Image) throws(CodecError) -> Image {
        image.with(image.pixels.blurred(sigma: blurRadius))
    }
}

extension SeparableFilter {
    /// Creates a filter that scales; no size may be empty.
    ///
    /// - Parameters:
    ///   - extent: The real size of the picture in source pixels, if it covers only a part of the last column or row.
    ///   - part: The part of the result that is computed; nil for all.
    init(
        scaling source: PixelSize, to target: PixelSize, isOpaque: Bool, extent: (width: Double, height: Double)? = nil,
        part: PixelRect? = nil
    ) {
        let part = part ?? PixelRect(target)
        self.init(
            source, to: part.size, isOpaque: isOpaque,
            across: .scaling(
                source.width, to: target.width, extent: extent?.width, part: part.x..<part.x + part.size.width),
            down: .scaling(
                source.height, to: target.height, extent: extent?.height, part: part.y..<part.y + part.size.height))
    }
}

extension PixelBuffer {
    /// Returns the picture scaled to `target`.
    ///
    /// An empty picture or an empty target returns the picture unchanged.
    func resampled(to target: PixelSize) -> PixelBuffer {
        guard target != size, !target.isEmpty, !size.isEmpty else { return self }
        return filtered(by: SeparableFilter(scaling: size, to: target, isOpaque: isOpaque))
    }

    /// Returns the picture blurred by a Gaussian of `sigma` pixels; edge pixels are repeated.
    func blurred(sigma: Double) -> PixelBuffer {
        guard sigma > 0, !size.isEmpty else { return self }
        return filtered(
            by: SeparableFilter(
                size, to: size, isOpaque: isOpaque, across: .blurring(size.width, sigma: sigma),
                down: .blurring(size.height, sigma: sigma)))
    }

    private func filtered(by filter: SeparableFilter) -> PixelBuffer {
        var filter = filter
        bytes.withUnsafeBytes { filter.add($0) }
        return filter.picture ?? self
    }
}

extension ImageProcessor where Self == BlurImageProcessor {
    /// Returns a processor that blurs by a Gaussian with σ in pixels.
    public static func blur(_ radius: Double) -> Self { Self(blurRadius: radius) }
}
