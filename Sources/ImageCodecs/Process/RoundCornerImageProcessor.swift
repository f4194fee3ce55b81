import Raster

/// A processor that rounds corners with smooth edges.
///
/// A pixel keeps α′ = α · (the part of its area inside the outline), computed exactly. A background is then drawn
/// behind the whole picture, source-over.
public struct RoundCornerImageProcessor: ImageProcessor {
    /// The name used by Kingfisher.
    public typealias Radius = CornerRadius

    /// The corner radius; at most half the shorter side takes effect.
    public let radius: Radius
    /// The size in pixels that the picture is first stretched to; nil, the default, keeps its size.
    public let targetSize: PixelSize?
    /// The rounded corners; all four by default.
    public let corners: Corners
    /// The colour behind the picture; nil, the default, means transparent.
    public let background: Color?

    public init(
        radius: Radius, targetSize: PixelSize? = nil, roundingCorners: Corners = .all, backgroundColor: Color? = nil
    ) {
        self.radius = radius.limited
        self.targetSize = targetSize
        corners = roundingCorners
        background = backgroundColor
    }

    /// Creates a processor with a radius in pixels.
    public init(
        cornerRadius: Double, targetSize: PixelSize? = nil, roundingCorners: Corners = .all,
        backgroundColor: Color? = nil
    ) {
        self.init(
            radius: .point(cornerRadius), targetSize: targetSize, roundingCorners: roundingCorners,
            backgroundColor: backgroundColor)
    }

    public var identifier: String {
        var text = IdentifierText("round", radius.text)
        text.add("size", targetSize.map { "\($0.width)x\($0.height)" })
        text.add("corners", corners == .all ? nil : corners.text)
        text.add("background", background.map(ColorText.text))
        return text.whole
    }

    public func scaled(by factor: Double) -> any ImageProcessor {
        RoundCornerImageProcessor(
            radius: radius.multiplied(by: factor), targetSize: targetSize?.multiplied(by: factor),
            roundingCorners: corners,
            backgroundColor: background)
    }

    public func process(_ image: Image) throws(CodecError) -> Image {
        let pixels = try stretched(image.pixels)
        let outline = RoundedRectangle(pixels.size, radius: radius.pixels(in: pixels.size), corners: corners)
        guard let background = background.map(Pixel.init) else {
            return image.with(pixels.weighted(by: outline.coverage) { $0.faded(by: $1) })
        }
        return image.with(pixels.weighted(by: outline.coverage) { $0.faded(by: $1).over(background) })
    }

    private func stretched(_ pixels: PixelBuffer) throws(CodecError) -> PixelBuffer {
        guard let targetSize, targetSize != pixels.size else { return pixels }
        try checkResult(targetSize)
        return try VipsOperations.resize(pixels, to: targetSize)
    }
}
