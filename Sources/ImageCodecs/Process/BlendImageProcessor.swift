import Raster

/// A processor that blends the picture with a background colour.
///
/// The backdrop is `background`; the source is the picture with its alpha multiplied by `alpha`. The formulas are those
/// of `BlendMode`, applied to sRGB values as in CSS. Without a background the backdrop is transparent, and every blend
/// mode leaves the colours of the picture unchanged.
public struct BlendImageProcessor: ImageProcessor {
    /// The blend mode or Porter-Duff operator.
    public let blendMode: BlendMode
    /// The factor of the picture's alpha; 1 by default, clamped to 0…1.
    public let alpha: Double
    /// The colour behind the picture; nil, the default, means transparent.
    public let background: Color?

    public init(blendMode: BlendMode, alpha: Double = 1, background: Color? = nil) {
        self.blendMode = blendMode
        self.alpha = alpha.limited(to: 0...1, fallback: 1)
        self.background = background
    }

    public var identifier: String {
        var text = IdentifierText("blend", blendMode.rawValue)
        text.add("alpha", alpha == 1 ? nil : NumberText.text(alpha))
        text.add("background", background.map(ColorText.text))
        return text.whole
    }

    public func process(_ image: Image) -> Image {
        let backdrop = background.map(Pixel.init) ?? .zero
        let factor = Float(alpha)
        return image.with(image.pixels.mapped { blendMode.composite($0.faded(by: factor), onto: backdrop) })
    }
}
