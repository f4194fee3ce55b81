import Raster

/// The choice of a palette by cutting the colour cube where that lowers the squared error most.
///
/// After Xiaolin Wu, "Efficient Statistical Computations for Optimal Color Quantization", Graphics Gems II (1991).
/// Different from there: the box cut next is the one whose best cut gains most, so squares need not be summed.
struct VarianceCut {
    private let moments: ColorMoments
    private var boxes: [Candidate] = []

    private struct Candidate {
        var box: ColorBox
        var cut: ColorCut?
    }

    init(_ histogram: ColorHistogram) {
        moments = ColorMoments(histogram)
    }

    /// At most `count` colours, each the mean of its box, most gainful cuts first.
    mutating func colors(_ count: Int) -> [Color] {
        boxes = [candidate(.whole)]
        while boxes.count < count, let next = mostGainful(), let cut = boxes[next].cut {
            let (lower, upper) = boxes[next].box.divided(by: cut)
            boxes[next] = candidate(lower)
            boxes.append(candidate(upper))
        }
        return boxes.compactMap { moments.mean(of: $0.box) }
    }

    private func candidate(_ box: ColorBox) -> Candidate {
        Candidate(box: box, cut: moments.bestCut(of: box))
    }

    private func mostGainful() -> Int? {
        boxes.indices.filter { boxes[$0].cut != nil }
            .max { (boxes[$0].cut?.gain ?? 0) < (boxes[$1].cut?.gain ?? 0) }
    }
}

/// A cut of a box: the part below `position` along `axis` from the part at and above it.
struct ColorCut {
    let axis: Int
    let position: Int
    /// By how much the sum of squared errors falls.
    let gain: Double
}

/// A box of histogram bins; bounds are half open and in bins.
struct ColorBox {
    var lower: SIMD4<Int>
    var upper: SIMD4<Int>

    static let whole = ColorBox(lower: .zero, upper: SIMD4(repeating: ColorHistogram.side))

    func divided(by cut: ColorCut) -> (ColorBox, ColorBox) {
        var (below, above) = (self, self)
        below.upper[cut.axis] = cut.position
        above.lower[cut.axis] = cut.position
        return (below, above)
    }
}
