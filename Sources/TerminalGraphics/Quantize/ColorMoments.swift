import Raster

/// Sums of a histogram over all boxes that begin at black, so that the sum over any box takes eight lookups.
struct ColorMoments {
    private static let side = ColorHistogram.side + 1
    /// Red, green and blue sums and the count of the bins below each corner.
    private let sums: [SIMD4<Double>]

    init(_ histogram: ColorHistogram) {
        let side = Self.side
        var sums = [SIMD4<Double>](repeating: .zero, count: side * side * side)
        for red in 1..<side {
            for green in 1..<side {
                var row = SIMD4<Double>.zero
                for blue in 1..<side {
                    row += SIMD4(histogram.bins[((red - 1) << 5 | (green - 1)) << 5 | (blue - 1)])
                    let here = (red * side + green) * side + blue
                    let (less, lessRed) = (here - side, here - side * side)
                    sums[here] = row + sums[less] + sums[lessRed] - sums[lessRed - side]
                }
            }
        }
        self.sums = sums
    }

    /// The mean colour of a box; nil when it is empty.
    func mean(of box: ColorBox) -> Color? {
        let sum = sum(box)
        guard sum.w > 0 else { return nil }
        let mean = (sum / sum.w).rounded(.toNearestOrAwayFromZero)
        return Color(red: UInt8(mean.x), green: UInt8(mean.y), blue: UInt8(mean.z))
    }

    /// The cut that lowers the squared error most; nil when none does.
    func bestCut(of box: ColorBox) -> ColorCut? {
        let whole = sum(box)
        guard whole.w > 1 else { return nil }
        var best: ColorCut?
        for axis in 0..<3 {
            for position in box.lower[axis] + 1..<max(box.upper[axis], box.lower[axis] + 1) {
                let gain = gain(of: box, axis: axis, position: position, whole: whole)
                if gain > best?.gain ?? 1e-6 { best = ColorCut(axis: axis, position: position, gain: gain) }
            }
        }
        return best
    }

    /// |s₁|²/n₁ + |s₂|²/n₂ − |s|²/n: what the squared error loses when the box's sum s of n splits in two.
    private func gain(of box: ColorBox, axis: Int, position: Int, whole: SIMD4<Double>) -> Double {
        var part = box
        part.upper[axis] = position
        let below = sum(part)
        let above = whole - below
        guard below.w > 0, above.w > 0 else { return 0 }
        return spread(below) + spread(above) - spread(whole)
    }

    private func spread(_ sum: SIMD4<Double>) -> Double {
        (sum.x * sum.x + sum.y * sum.y + sum.z * sum.z) / sum.w
    }

    private func sum(_ box: ColorBox) -> SIMD4<Double> {
        let (low, high) = (box.lower, box.upper)
        let upper = face(high.x, high.y, high.z) - face(high.x, high.y, low.z)
        let middle = face(high.x, low.y, high.z) - face(high.x, low.y, low.z)
        let lower = face(low.x, high.y, high.z) - face(low.x, high.y, low.z)
        let corner = face(low.x, low.y, high.z) - face(low.x, low.y, low.z)
        return upper - middle - lower + corner
    }

    private func face(_ red: Int, _ green: Int, _ blue: Int) -> SIMD4<Double> {
        sums[(red * Self.side + green) * Self.side + blue]
    }
}
