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
