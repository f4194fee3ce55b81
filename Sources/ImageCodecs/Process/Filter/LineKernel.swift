import Foundation

/// The weights that filter one line of pixels into another; edge pixels are repeated beyond the ends.
struct LineKernel: Sendable {
    /// The number of pixels that are averaged into a block before filtering; 1 for no averaging.
    let block: Int
    /// The number of blocks in the source line; the last may have fewer pixels.
    let length: Int
    /// The number of weights per result.
    let taps: Int
    /// The index of the first block of each result.
    private(set) var starts: [Int] = []
    /// The weights, `taps` per result, with a sum of 1 for each result.
    private(set) var weights: [Float]

    /// Creates a kernel in which each result weighs the blocks around its centre by distance.
    ///
    /// - Parameters:
    ///   - length: The number of blocks in the source line.
    ///   - block: The number of pixels per block.
    ///   - results: The number of results.
    ///   - reach: The largest distance of a weighted block from the centre, in blocks.
    ///   - centers: A closure that returns the centre of a result, in blocks.
    ///   - weight: A closure that returns the weight at a distance in blocks.
    private init(
        length: Int, block: Int, results: Int, reach: Double, centers: (Int) -> Double, weight: (Double) -> Double
    ) {
        (self.length, self.block) = (length, block)
        taps = min(length, Int((2 * reach).rounded(.up)) + 1)
        weights = [Float](repeating: 0, count: results * taps)
        for result in 0..<results {
            let center = centers(result)
            let places = Int((center - reach).rounded(.up))...Int((center + reach).rounded(.down))
            let start = min(max(places.lowerBound, 0), length - taps)
            let values = places.map { weight(Double($0) - center) }
            let sum = values.reduce(0, +)
            for (place, value) in zip(places, values) {
                weights[result * taps + min(max(place, 0), length - 1) - start] += Float(value / sum)
            }
            starts.append(start)
        }
    }
}

extension LineKernel {
    /// Creates a kernel that scales a line down.
    ///
    /// Blocks are averaged first, so that a scale of less than 4 remains; a windowed sinc with three lobes (Lanczos 3)
    /// does the rest. libvips' `resize` uses the same two steps in the same proportion.
    ///
    /// - Parameters:
    ///   - source: The length of the source line in pixels.
    ///   - target: The length of the result in pixels, at least 1 and at most `source`.
    static func scaling(_ source: Int, to target: Int) -> LineKernel {
        let block = max(1, source / (2 * target))
        let scale = Double(source) / Double(target * block)
        return LineKernel(
            length: (source + block - 1) / block, block: block, results: target, reach: lobes * max(1, scale),
            centers: { (Double($0) + 0.5) * scale - 0.5 }, weight: { lanczos($0 / max(1, scale)) })
    }

    /// Creates a Gaussian blur with the weight e^(−d² / 2σ²) at the distance d.
    ///
    /// Weights below a hundredth of the largest are ignored.
    static func blurring(_ length: Int, sigma: Double) -> LineKernel {
        let reach = (sigma * (2 * log(100)).squareRoot()).rounded(.down)
        return LineKernel(
            length: length, block: 1, results: length, reach: reach, centers: { Double($0) },
            weight: { exp(-$0 * $0 / (2 * sigma * sigma)) })
    }

    private static let lobes = 3.0

    /// Returns sinc(x) · sinc(x / 3) for |x| < 3, and 0 beyond.
    ///
    /// Source: Duchon, "Lanczos Filtering in One and Two Dimensions" (1979).
    private static func lanczos(_ x: Double) -> Double {
        guard x != 0 else { return 1 }
        guard abs(x) < lobes else { return 0 }
        return lobes * sin(.pi * x) * sin(.pi * x / lobes) / (.pi * .pi * x * x)
    }
}
