import Raster

/// Draws the picture onto a colour: the backdrop is `background`, the source the picture with its alpha times `alpha`.
///
/// `BlendMode` has the formulas; they work on sRGB values, as in CSS. Without a background the backdrop is transparent,
/// where every blend mode leaves the picture as it is.
public struct BlendImageProcessor: ImageProcessor {
    /// How the picture is drawn onto the background.
    public let blendMode: BlendMode
    /// 1 by default, clamped to 0…1.
    public let alpha: Double
    /// Nil, the default, is nothing.
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
