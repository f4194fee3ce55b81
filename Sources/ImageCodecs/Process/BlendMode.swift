/// A blend mode or Porter-Duff operator of the W3C, named as in CSS.
///
/// Source: W3C Compositing and Blending Level 1, sections 9.1 and 10.
public enum BlendMode: String, Sendable, Hashable, CaseIterable {
    // Separable blend modes, which blend each channel independently; the result is composited source-over.
    case normal, multiply, screen, overlay, darken, lighten
    case colorDodge = "color-dodge"
    case colorBurn = "color-burn"
    case hardLight = "hard-light"
    case softLight = "soft-light"
    case difference, exclusion

    // Non-separable blend modes, which depend on all channels.
    case hue, saturation, color, luminosity

    // Porter-Duff operators.
    case clear, copy, destination
    case sourceOver = "source-over"
    case destinationOver = "destination-over"
    case sourceIn = "source-in"
    case destinationIn = "destination-in"
    case sourceOut = "source-out"
    case destinationOut = "destination-out"
    case sourceAtop = "source-atop"
    case destinationAtop = "destination-atop"
    case xor, lighter
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
