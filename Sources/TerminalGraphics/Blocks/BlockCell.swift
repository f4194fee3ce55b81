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
        let fits = Self.shapes.map { shape in Self.fit(shape, pixels) }
        let best = fits.min { $0.error < $1.error } ?? Self.fit(Self.shapes[0], pixels)
        character = best.character
        foreground = best.foreground
        background = best.background
    }

    private struct Shape {
        let character: Character
        /// Which of the four pixels the character covers.
        let covered: [Bool]
    }

    /// A shape and its opposite are one with the colours exchanged, so eight shapes are all there are.
    private static let shapes: [Shape] = [
        Shape(character: " ", covered: [false, false, false, false]),
        Shape(character: "▀", covered: [true, true, false, false]),
        Shape(character: "▌", covered: [true, false, true, false]),
        Shape(character: "▘", covered: [true, false, false, false]),
        Shape(character: "▝", covered: [false, true, false, false]),
        Shape(character: "▖", covered: [false, false, true, false]),
        Shape(character: "▗", covered: [false, false, false, true]),
        Shape(character: "▚", covered: [true, false, false, true]),
    ]

    private struct Fit {
        let character: Character
        let foreground: Color
        let background: Color
        let error: Int
    }

    private static func fit(_ shape: Shape, _ pixels: [Color]) -> Fit {
        let inside = zip(pixels, shape.covered).filter(\.1).map(\.0)
        let outside = zip(pixels, shape.covered).filter { !$0.1 }.map(\.0)
        let background = mean(outside)
        let foreground = inside.isEmpty ? background : mean(inside)
        let error =
            inside.reduce(0) { $0 + $1.squaredDistance(to: foreground) }
            + outside.reduce(0) { $0 + $1.squaredDistance(to: background) }
        return Fit(character: shape.character, foreground: foreground, background: background, error: error)
    }

    private static func mean(_ colors: [Color]) -> Color {
        let count = max(1, colors.count)
        let sums = colors.reduce(SIMD3<Int>.zero) { $0 &+ SIMD3(Int($1.red), Int($1.green), Int($1.blue)) }
        let means = (sums &+ count / 2) / count
        return Color(red: UInt8(means.x), green: UInt8(means.y), blue: UInt8(means.z))
    }
}
