import Raster

/// One character cell of a block picture.
public struct BlockCell: Hashable, Sendable {
    public let character: Character
    public let foreground: Color
    public let background: Color

    /// The block character and the two colours that come nearest, by the sum of squares, to four pixels.
    ///
    /// Pixels come in the order upper left, upper right, lower left, lower right. Among equals the plainest wins: a
    /// space, then half blocks, then quadrants.
    init(fitting pixels: [Color]) {
        let sums = pixels.map { SIMD4(Int32($0.red), Int32($0.green), Int32($0.blue), 1) }
        var best = Split(Self.shapes[0], of: sums)
        for shape in Self.shapes.dropFirst() {
            let split = Split(shape, of: sums)
            if split.closeness > best.closeness { best = split }
        }
        character = best.shape.character
        background = Self.mean(best.outside)
        foreground = best.inside.w > 0 ? Self.mean(best.inside) : background
    }

    private struct Shape {
        let character: Character
        /// Which of the four pixels the character covers, the first in the lowest bit.
        let mask: Int
    }

    /// A shape and its opposite are one with the colours exchanged, so eight shapes are all there are.
    private static let shapes: [Shape] = [
        Shape(character: " ", mask: 0b0000), Shape(character: "▀", mask: 0b0011),
        Shape(character: "▌", mask: 0b0101), Shape(character: "▘", mask: 0b0001),
        Shape(character: "▝", mask: 0b0010), Shape(character: "▖", mask: 0b0100),
        Shape(character: "▗", mask: 0b1000), Shape(character: "▚", mask: 0b1001),
    ]

    /// The pixels that a shape covers and the others, as sums of the channels and counts.
    private struct Split {
        let shape: Shape
        private(set) var inside = SIMD4<Int32>.zero
        private(set) var outside = SIMD4<Int32>.zero

        init(_ shape: Shape, of pixels: [SIMD4<Int32>]) {
            self.shape = shape
            for (place, pixel) in pixels.enumerated() {
                if shape.mask >> place & 1 == 1 { inside &+= pixel } else { outside &+= pixel }
            }
        }

        /// Twelve times Σ|s|²/n, which is the greater, the smaller the sum of squared differences to the means.
        var closeness: Int32 { Self.closeness(inside) &+ Self.closeness(outside) }

        private static func closeness(_ sum: SIMD4<Int32>) -> Int32 {
            guard sum.w > 0 else { return 0 }
            return (sum.x &* sum.x &+ sum.y &* sum.y &+ sum.z &* sum.z) &* (12 / sum.w)
        }
    }

    private static func mean(_ sum: SIMD4<Int32>) -> Color {
        let count = max(1, sum.w)
        let means = (sum &+ count / 2) / count
        return Color(
            red: UInt8(truncatingIfNeeded: means.x), green: UInt8(truncatingIfNeeded: means.y),
            blue: UInt8(truncatingIfNeeded: means.z))
    }
}
