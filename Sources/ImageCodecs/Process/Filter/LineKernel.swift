import Foundation

/// How the pixels of a line are weighed for those of another line; beyond the ends the last pixel goes on.
struct LineKernel: Sendable {
    /// Pixels that are averaged before all else; 1 where none are.
    let block: Int
    /// Blocks of the whole line; the last may have fewer pixels.
    let length: Int
    /// Weights a result.
    let taps: Int
    /// The first block of each result.
    private(set) var starts: [Int] = []
    /// `taps` weights a result, together 1.
    private(set) var weights: [Float]

    /// `results` results, each of the blocks within `reach` of its centre, weighed by their distance from it.
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
    /// Scales down: blocks are averaged, so many that the rest is a scale of less than 4, then Lanczos' windowed sinc
    /// with three lobes is laid over them; the same two steps in the same proportion as libvips' `resize`.
    ///
    /// `target` is at least 1 and no more than `source`.
    static func scaling(_ source: Int, to target: Int) -> LineKernel {
        let block = max(1, source / (2 * target))
        let scale = Double(source) / Double(target * block)
        return LineKernel(
            length: (source + block - 1) / block, block: block, results: target, reach: lobes * max(1, scale),
            centers: { (Double($0) + 0.5) * scale - 0.5 }, weight: { lanczos($0 / max(1, scale)) })
    }

    /// Blurs with a Gaussian, e^(−d² / 2σ²) at the distance d; weights below a hundredth of the largest are left out.
    static func blurring(_ length: Int, sigma: Double) -> LineKernel {
        let reach = (sigma * (2 * log(100)).squareRoot()).rounded(.down)
        return LineKernel(
            length: length, block: 1, results: length, reach: reach, centers: { Double($0) },
            weight: { exp(-$0 * $0 / (2 * sigma * sigma)) })
    }

    private static let lobes = 3.0

    /// sinc(x) · sinc(x / 3) within three lobes.
    ///
    /// Source: Duchon, "Lanczos Filtering in One and Two Dimensions" (1979).
    private static func lanczos(_ x: Double) -> Double {
        guard x != 0 else { return 1 }
        guard abs(x) < lobes else { return 0 }
        return lobes * sin(.pi * x) * sin(.pi * x / lobes) / (.pi * .pi * x * x)
    }
}
