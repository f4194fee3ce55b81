import Foundation

/// A tabulated exposure curve over sRGB values: encode(decode(v) · 2^EV), clamped to 0…1.
struct ExposureCurve {
    private static let steps = 4096
    /// The results for equally spaced inputs from 0 to the value that becomes white; others are interpolated.
    private let table: [Float]
    private let scale: Float

    init(stops: Double) {
        let white = SRGBCurve.sample(exp2(-stops))
        table = (0...Self.steps).map { step in
            Float(min(1, SRGBCurve.sample(SRGBCurve.light(white * Double(step) / Double(Self.steps)) * exp2(stops))))
        }
        scale = Float(Double(Self.steps) / white)
    }

    subscript(value: Float) -> Float {
        let position = value * scale
        guard position > 0 else { return 0 }
        guard position < Float(Self.steps) else { return 1 }
        let index = Int(position)
        return table[index] + (table[index + 1] - table[index]) * (position - Float(index))
    }
}
