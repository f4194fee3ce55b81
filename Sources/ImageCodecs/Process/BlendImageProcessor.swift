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

    /// Creates a processor; the background is transparent by default.
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

/// A blend mode or Porter-Duff operator of the W3C, named as in CSS.
///
/// Source: W3C Compositing and Blending Level 1, sections 9.1 and 10.
public enum BlendMode: String, Sendable, Hashable, CaseIterable {
    /// A separable blend mode: each channel is blended by itself, and the result is composited source-over.
    case normal, multiply, screen, overlay, darken, lighten, colorDodge = "color-dodge", colorBurn = "color-burn",
        hardLight = "hard-light", softLight = "soft-light", difference, exclusion

    /// A blend mode that is not separable: it depends on all channels.
    case hue, saturation, color, luminosity

    /// A Porter-Duff operator.
    case clear, copy, destination, sourceOver = "source-over", destinationOver = "destination-over",
        sourceIn = "source-in", destinationIn = "destination-in", sourceOut = "source-out",
        destinationOut = "destination-out", sourceAtop = "source-atop", destinationAtop = "destination-atop", xor,
        lighter
}

extension BlendMode {
    /// Composites a source pixel onto a backdrop; both and the result have straight alpha.
    ///
    /// Section 5.8: co = αs·Fa·Cs + αb·Fb·Cb with αo = αs·Fa + αb·Fb. A blend mode first replaces the source's colour
    /// by (1 − αb)·Cs + αb·B(Cb, Cs) (section 5.8.1) and is then composited source-over.
    func composite(_ source: Pixel, onto backdrop: Pixel) -> Pixel {
        guard let factors = factors(source.w, backdrop.w) else {
            let blended = source * (1 - backdrop.w) + blend(backdrop, source) * backdrop.w
            return Pixel(blended.x, blended.y, blended.z, source.w).over(backdrop)
        }
        let sum = source.premultiplied * factors.source + backdrop.premultiplied * factors.backdrop
        return pointwiseMin(sum, .one).straight
    }

    /// Returns Fa and Fb of section 9.1; nil for a blend mode.
    private func factors(_ source: Float, _ backdrop: Float) -> (source: Float, backdrop: Float)? {
        switch self {
        case .clear: (0, 0)
        case .copy: (1, 0)
        case .destination: (0, 1)
        case .sourceOver: (1, 1 - source)
        case .destinationOver: (1 - backdrop, 1)
        case .sourceIn: (backdrop, 0)
        case .destinationIn: (0, source)
        case .sourceOut: (1 - backdrop, 0)
        case .destinationOut: (0, 1 - source)
        case .sourceAtop: (backdrop, 1 - source)
        case .destinationAtop: (1 - backdrop, source)
        case .xor: (1 - backdrop, 1 - source)
        case .lighter: (1, 1)
        default: nil
        }
    }

    /// Returns B(Cb, Cs); the alpha lane is unused.
    private func blend(_ backdrop: Pixel, _ source: Pixel) -> Pixel {
        switch self {
        case .multiply: backdrop * source
        case .screen: BlendFormula.screen(backdrop, source)
        case .overlay: BlendFormula.hardLight(source, backdrop)
        case .darken: pointwiseMin(backdrop, source)
        case .lighten: pointwiseMax(backdrop, source)
        case .colorDodge: BlendFormula.colorDodge(backdrop, source)
        case .colorBurn: BlendFormula.colorBurn(backdrop, source)
        case .hardLight: BlendFormula.hardLight(backdrop, source)
        case .softLight: BlendFormula.softLight(backdrop, source)
        case .difference: pointwiseMax(backdrop, source) - pointwiseMin(backdrop, source)
        case .exclusion: backdrop + source - 2 * backdrop * source
        case .hue: BlendFormula.hue(backdrop, source)
        case .saturation: BlendFormula.saturation(backdrop, source)
        case .color: BlendFormula.luminosity(source, backdrop)
        case .luminosity: BlendFormula.luminosity(backdrop, source)
        default: source
        }
    }
}

/// The blend functions B(Cb, Cs) that need more than one expression; the alpha lane of the results is unused.
///
/// Source: W3C Compositing and Blending Level 1, sections 10.1 (separable) and 10.2 (non-separable).
enum BlendFormula {
    static func screen(_ backdrop: Pixel, _ source: Pixel) -> Pixel { backdrop + source - backdrop * source }

    static func hardLight(_ backdrop: Pixel, _ source: Pixel) -> Pixel {
        screen(backdrop, 2 * source - 1).replacing(with: backdrop * 2 * source, where: source .<= 0.5)
    }

    static func colorDodge(_ backdrop: Pixel, _ source: Pixel) -> Pixel {
        pointwiseMin(.one, backdrop / (1 - source))
            .replacing(with: 1, where: source .>= 1)
            .replacing(with: 0, where: backdrop .<= 0)
    }

    static func colorBurn(_ backdrop: Pixel, _ source: Pixel) -> Pixel {
        (1 - pointwiseMin(.one, (1 - backdrop) / source))
            .replacing(with: 0, where: source .<= 0)
            .replacing(with: 1, where: backdrop .>= 1)
    }

    static func softLight(_ backdrop: Pixel, _ source: Pixel) -> Pixel {
        let dark = backdrop - (1 - 2 * source) * backdrop * (1 - backdrop)
        let curve = backdrop.squareRoot()
            .replacing(with: ((16 * backdrop - 12) * backdrop + 4) * backdrop, where: backdrop .<= 0.25)
        return (backdrop + (2 * source - 1) * (curve - backdrop)).replacing(with: dark, where: source .<= 0.5)
    }

    static func hue(_ backdrop: Pixel, _ source: Pixel) -> Pixel {
        luminosity(saturated(source, as: saturation(backdrop)), backdrop)
    }

    static func saturation(_ backdrop: Pixel, _ source: Pixel) -> Pixel {
        luminosity(saturated(backdrop, as: saturation(source)), backdrop)
    }

    /// Returns SetLum: the hue and saturation of `color` with the luminosity of `light`, clipped towards grey.
    static func luminosity(_ color: Pixel, _ light: Pixel) -> Pixel {
        let target = luma(light)
        let moved = color + (target - luma(color))
        let low = min(moved.x, moved.y, moved.z)
        let high = max(moved.x, moved.y, moved.z)
        var clipped = moved
        if low < 0 { clipped = target + (clipped - target) * (target / (target - low)) }
        if high > 1 { clipped = target + (clipped - target) * ((1 - target) / (high - target)) }
        return clipped
    }

    /// Returns SetSat: the smallest channel becomes 0, the largest the saturation, the middle one in proportion.
    private static func saturated(_ color: Pixel, as saturation: Float) -> Pixel {
        let low = min(color.x, color.y, color.z)
        let range = self.saturation(color)
        return range > 0 ? (color - low) * (saturation / range) : .zero
    }

    private static func saturation(_ color: Pixel) -> Float {
        max(color.x, color.y, color.z) - min(color.x, color.y, color.z)
    }

    private static func luma(_ color: Pixel) -> Float { 0.3 * color.x + 0.59 * color.y + 0.11 * color.z }
}
