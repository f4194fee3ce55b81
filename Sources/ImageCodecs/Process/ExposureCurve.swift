import Foundation

/// A tabulated exposure curve over sRGB values: encode(decode(v) · 2^EV), clamped to 0…1.
///
/// Source: IEC 61966-2-1, the transfer functions of sRGB.
struct ExposureCurve {
    private static let steps = 4096
    /// The results for equally spaced inputs from 0 to the value that becomes white; others are interpolated.
    private let table: [Float]
    private let scale: Float

    init(stops: Double) {
        let white = Self.encoded(exp2(-stops))
        table = (0...Self.steps).map { step in
            Float(min(1, Self.encoded(Self.decoded(white * Double(step) / Double(Self.steps)) * exp2(stops))))
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

    private static func decoded(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func encoded(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
