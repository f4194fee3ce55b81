@testable import AlcedoImageCodecs

/// Blending and compositing as the W3C's specification writes them down, channel by channel, in double precision.
enum BlendReference {
    static func composite(_ source: ReferencePixel, _ backdrop: ReferencePixel, _ mode: BlendMode) -> ReferencePixel {
        let (alphaS, alphaB) = (source.alpha, backdrop.alpha)
        if let (fa, fb) = factors(mode, alphaS, alphaB) {
            let sum = zip(source.channels, backdrop.channels).map { min(1, alphaS * fa * $0 + alphaB * fb * $1) }
            return ReferencePixel(premultiplied: sum, alpha: min(1, alphaS * fa + alphaB * fb))
        }
        let blended = blend(backdrop.channels, source.channels, mode)
        let sum = (0..<3).map {
            alphaS * (1 - alphaB) * source.channels[$0] + alphaS * alphaB * blended[$0]
                + (1 - alphaS) * alphaB * backdrop.channels[$0]
        }
        return ReferencePixel(premultiplied: sum, alpha: alphaS + alphaB - alphaS * alphaB)
    }

    private static func factors(_ mode: BlendMode, _ s: Double, _ b: Double) -> (Double, Double)? {
        let table: [BlendMode: (Double, Double)] = [
            .clear: (0, 0), .copy: (1, 0), .destination: (0, 1), .sourceOver: (1, 1 - s), .destinationOver: (1 - b, 1),
            .sourceIn: (b, 0), .destinationIn: (0, s), .sourceOut: (1 - b, 0), .destinationOut: (0, 1 - s),
            .sourceAtop: (b, 1 - s), .destinationAtop: (1 - b, s), .xor: (1 - b, 1 - s), .lighter: (1, 1),
        ]
        return table[mode]
    }

    private static func blend(_ backdrop: [Double], _ source: [Double], _ mode: BlendMode) -> [Double] {
        switch mode {
        case .hue: setLum(setSat(source, sat(backdrop)), lum(backdrop))
        case .saturation: setLum(setSat(backdrop, sat(source)), lum(backdrop))
        case .color: setLum(source, lum(backdrop))
        case .luminosity: setLum(backdrop, lum(source))
        default: zip(backdrop, source).map { separable($0, $1, mode) }
        }
    }

    private static func separable(_ cb: Double, _ cs: Double, _ mode: BlendMode) -> Double {
        switch mode {
        case .multiply: return cb * cs
        case .screen: return 1 - (1 - cb) * (1 - cs)
        case .overlay: return separable(cs, cb, .hardLight)
        case .darken: return min(cb, cs)
        case .lighten: return max(cb, cs)
        case .colorDodge: return cb == 0 ? 0 : cs == 1 ? 1 : min(1, cb / (1 - cs))
        case .colorBurn: return cb == 1 ? 1 : cs == 0 ? 0 : 1 - min(1, (1 - cb) / cs)
        case .hardLight: return cs <= 0.5 ? cb * 2 * cs : 1 - (1 - cb) * (1 - (2 * cs - 1))
        case .softLight:
            let curve = cb <= 0.25 ? ((16 * cb - 12) * cb + 4) * cb : cb.squareRoot()
            return cs <= 0.5 ? cb - (1 - 2 * cs) * cb * (1 - cb) : cb + (2 * cs - 1) * (curve - cb)
        case .difference: return abs(cb - cs)
        case .exclusion: return cb + cs - 2 * cb * cs
        default: return cs
        }
    }

    private static func lum(_ c: [Double]) -> Double { 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2] }

    private static func sat(_ c: [Double]) -> Double { (c.max() ?? 0) - (c.min() ?? 0) }

    private static func setLum(_ c: [Double], _ l: Double) -> [Double] {
        let shift = l - lum(c)
        return clip(c.map { $0 + shift })
    }

    private static func clip(_ c: [Double]) -> [Double] {
        let (l, n, x) = (lum(c), c.min() ?? 0, c.max() ?? 0)
        var result = c
        if n < 0 { result = result.map { l + (($0 - l) * l) / (l - n) } }
        if x > 1 { result = result.map { l + (($0 - l) * (1 - l)) / (x - l) } }
        return result
    }

    /// The specification's way: the smallest, middle and largest channel by name.
    private static func setSat(_ c: [Double], _ s: Double) -> [Double] {
        let order = [0, 1, 2].sorted { c[$0] < c[$1] }
        let (low, middle, high) = (order[0], order[1], order[2])
        var result = c
        if c[high] > c[low] {
            result[middle] = ((c[middle] - c[low]) * s) / (c[high] - c[low])
            result[high] = s
        } else {
            result[middle] = 0
            result[high] = 0
        }
        result[low] = 0
        return result
    }
}
