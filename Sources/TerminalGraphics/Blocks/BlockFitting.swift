import Raster

/// The choice of the block character and the two colours that come nearest to a cell's pixels.
///
/// A cell has two by six samples, so that halves, quarters and sixths are whole numbers of them. A shape's colours are
/// the means of the samples inside and outside; the sum of squared differences to them is Σ|x|² − Σ|s|²/n, s being the
/// sums of the n samples inside and outside, so that the shape with the greatest Σ|s|²/n is the nearest.
struct BlockFitting: Sendable {
    static let columns = 2
    static let rows = 6

    /// One sample's red, green and blue, and 1; or sums of them.
    private typealias Sum = SIMD4<Int32>

    private struct Candidate: Sendable {
        /// Where in the sums of all unions of quarters, then of sixths, its own stands.
        let union: Int

        init(_ shape: BlockShape) {
            union = shape.isSextant ? 16 + shape.parts : shape.parts
        }
    }

    private let candidates: [Candidate]
    /// 360/n, a whole number for each n of samples that a union of quarters or sixths has, and 0 for none.
    private static let weights: [Int32] = (0...12).map { $0 == 0 ? 0 : Int32(360 / $0) }

    init(_ set: BlockSet) {
        candidates = BlockShape.all.prefix(set.count).map(Candidate.init)
    }

    /// A row of cells from six rows of opaque pixels, `columns` of them a cell.
    func cells(_ pixels: UnsafeBufferPointer<UInt8>, count: Int) -> [BlockCell] {
        withUnsafeTemporaryAllocation(of: Sum.self, capacity: 16 + 64) { unions in
            Self.weights.withUnsafeBufferPointer { weights in
                (0..<count).map { column in
                    Self.collect(pixels, left: column * Self.columns, width: count * Self.columns, into: unions)
                    return nearest(unions, weights)
                }
            }
        }
    }

    /// The sums of all unions of quarters and of sixths, each from one with a part fewer.
    private static func collect(
        _ pixels: UnsafeBufferPointer<UInt8>, left: Int, width: Int, into unions: UnsafeMutableBufferPointer<Sum>
    ) {
        for union in unions.indices { unions[union] = .zero }
        for y in 0..<rows {
            for x in 0..<columns {
                let start = (y &* width &+ left &+ x) &* 4
                let sample = Sum(Int32(pixels[start]), Int32(pixels[start &+ 1]), Int32(pixels[start &+ 2]), 1)
                unions[1 << (y / 3 &* 2 &+ x)] &+= sample
                unions[16 &+ (1 << (y / 2 &* 2 &+ x))] &+= sample
            }
        }
        for union in 1..<16 { unions[union] = unions[union & (union - 1)] &+ unions[union & -union] }
        for union in 1..<64 { unions[16 + union] = unions[16 + union & (union - 1)] &+ unions[16 + (union & -union)] }
    }

    /// Among equals the first, which is the plainest.
    private func nearest(
        _ unions: UnsafeMutableBufferPointer<Sum>, _ weights: UnsafeBufferPointer<Int32>
    ) -> BlockCell {
        let all = unions[0b1111]
        var best = (shape: 0, closeness: Int32(-1))
        for (shape, candidate) in candidates.enumerated() {
            let inside = unions[candidate.union]
            let closeness = Self.closeness(inside, weights) &+ Self.closeness(all &- inside, weights)
            if closeness > best.closeness { best = (shape, closeness) }
        }
        let inside = unions[candidates[best.shape].union]
        let background = Self.mean(all &- inside)
        return BlockCell(
            shape: UInt8(best.shape), foreground: inside.w > 0 ? Self.mean(inside) : background,
            background: background)
    }

    /// |s|²·360/n: at most 12·3·255²·360 for both parts together, which 32 bits hold.
    @inline(__always)
    private static func closeness(_ sum: Sum, _ weights: UnsafeBufferPointer<Int32>) -> Int32 {
        (sum.x &* sum.x &+ sum.y &* sum.y &+ sum.z &* sum.z) &* weights[Int(sum.w)]
    }

    private static func mean(_ sum: Sum) -> Color {
        let count = max(1, sum.w)
        let means = (sum &+ count / 2) / count
        return Color(
            red: UInt8(truncatingIfNeeded: means.x), green: UInt8(truncatingIfNeeded: means.y),
            blue: UInt8(truncatingIfNeeded: means.z))
    }
}
