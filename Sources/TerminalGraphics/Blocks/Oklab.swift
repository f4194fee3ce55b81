import Glibc
import Raster

/// A colour in Oklab, a perceptually uniform space: lightness, green to red, blue to yellow.
///
/// After Ottosson, "A perceptual color space for image processing" (2020), https://bottosson.github.io/posts/oklab/.
struct Oklab: Hashable, Sendable {
    /// L, a, b and 0.
    let values: SIMD4<Float>

    /// Converts a colour from sRGB, ignoring alpha.
    init(_ color: Color) {
        self.init(SIMD4(Float(color.red), Float(color.green), Float(color.blue), 0))
    }

    /// Converts red, green and blue from sRGB, 0…255, rounded to integers.
    @inline(__always)
    init(_ color: SIMD4<Float>) {
        let (red, green, blue) = Self.linear.withUnsafeBufferPointer { linear in
            (linear[Int(color.x + 0.5)], linear[Int(color.y + 0.5)], linear[Int(color.z + 0.5)])
        }
        let cones =
            SIMD4<Float>(0.412_221_46, 0.211_903_5, 0.088_302_46, 0) * red
            + SIMD4<Float>(0.536_332_55, 0.680_699_56, 0.281_718_85, 0) * green
            + SIMD4<Float>(0.051_445_995, 0.107_396_96, 0.629_978_7, 0) * blue
        let roots = Self.cubeRoots(cones)
        values =
            SIMD4<Float>(0.210_454_26, 1.977_998_5, 0.025_904_037, 0) * roots.x
            + SIMD4<Float>(0.793_617_8, -2.428_592_2, 0.782_771_77, 0) * roots.y
            + SIMD4<Float>(-0.004_072_047, 0.450_593_7, -0.808_675_77, 0) * roots.z
    }

    /// Returns the square of the distance.
    @inline(__always)
    func squaredDistance(to other: Oklab) -> Float {
        let difference = values - other.values
        return (difference * difference).sum()
    }

    /// The linear light, 0…1, of each sRGB value.
    private static let linear: [Float] = (0...255).map { value in
        let share = Float(value) / 255
        return share <= 0.040_45 ? share / 12.92 : powf((share + 0.055) / 1.055, 2.4)
    }

    /// Approximates cube roots of numbers from 0 to 1 to five digits: an estimate by the exponent, then Newton's
    /// method.
    @inline(__always)
    private static func cubeRoots(_ numbers: SIMD4<Float>) -> SIMD4<Float> {
        let bits = unsafeBitCast(numbers, to: SIMD4<UInt32>.self)
        var roots = unsafeBitCast(bits / 3 &+ 709_921_077, to: SIMD4<Float>.self)
        for _ in 0..<2 { roots = (roots * 2 + numbers / (roots * roots)) * (1 / 3) }
        return roots
    }
}
