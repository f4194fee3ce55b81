import FoundationEssentials
import Glibc
import Raster

/// A streaming separable filter: a horizontal and a vertical kernel applied to rows as they arrive.
///
/// It computes in single precision, with colour premultiplied by alpha. It stores the result and as many filtered rows
/// as the vertical kernel has taps. Complexity: O(pixels + results · taps).
struct SeparableFilter {
    typealias Pixel = SIMD4<Float>

    private let source: PixelSize
    private let target: PixelSize
    private let isOpaque: Bool
    private let across: LineKernel
    /// The horizontal weights, each repeated for all channels.
    ///
    /// Repeating them for every row would take longer than computing the weighted sums.
    private let acrossWeights: [Pixel]
    private let down: LineKernel
    /// The sums of the current row of blocks; `summed` is the number of pixel rows in them.
    private var sums: [Pixel]
    private var summed = 0
    /// The last `down.taps` horizontally filtered rows; row n is stored at index n modulo `down.taps`.
    private var ring: [Pixel]
    /// The current row of the result.
    private var line: [Pixel]
    /// The numbers of received pixel rows, finished rows of blocks, and written rows of the result.
    private var (rows, finished, written) = (0, 0, 0)
    private var bytes: [UInt8]

    /// Creates a filter; neither size may be empty.
    init(_ source: PixelSize, to target: PixelSize, isOpaque: Bool, across: LineKernel, down: LineKernel) {
        (self.source, self.target, self.isOpaque) = (source, target, isOpaque)
        (self.across, self.down) = (across, down)
        acrossWeights = across.weights.map { Pixel(repeating: $0) }
        sums = [Pixel](repeating: .zero, count: across.length)
        ring = [Pixel](repeating: .zero, count: down.taps * target.width)
        line = [Pixel](repeating: .zero, count: target.width)
        bytes = [UInt8](repeating: 0, count: target.area * 4)
    }

    /// The result; nil before all rows have arrived.
    var picture: PixelBuffer? { written == target.height ? PixelBuffer(size: target, bytes: bytes) : nil }

    /// Adds the next complete rows, with four bytes per pixel.
    mutating func add(_ pixels: UnsafeRawBufferPointer) {
        let stride = source.width * 4
        for start in Swift.stride(from: 0, to: pixels.count, by: stride) {
            sum(UnsafeRawBufferPointer(rebasing: pixels[start..<start + stride]))
            rows += 1
            if summed == down.block || rows == source.height { finish() }
        }
    }

    /// Whether the current row of blocks contributes to a row of the result that is not yet written.
    private var isNeeded: Bool { written < target.height && finished >= down.used.lowerBound }

    private mutating func sum(_ row: UnsafeRawBufferPointer) {
        let (isFirst, width, block, used, isOpaque) = (summed == 0, source.width, across.block, across.used, isOpaque)
        summed += 1
        guard isNeeded else { return }
        sums.withUnsafeMutableBufferPointer { sums in
            if isFirst, block == 1 {
                // A loop without a condition takes a third less time.
                if isOpaque {
                    for x in used { sums[x] = Self.pixel(row, x, true) }
                } else {
                    for x in used { sums[x] = Self.pixel(row, x, false) }
                }
                return
            }
            if isFirst { sums.update(repeating: .zero) }
            for place in used {
                var sum = sums[place]
                for x in place * block..<min(width, (place + 1) * block) { sum += Self.pixel(row, x, isOpaque) }
                sums[place] = sum
            }
        }
    }

    /// Finishes a row of blocks and writes the rows of the result that are then complete.
    private mutating func finish() {
        if isNeeded {
            let last = across.length - 1
            let pixels = Float(summed * across.block)
            if pixels > 1 { for x in across.used where x < last { sums[x] /= pixels } }
            sums[last] /= Float(summed * (source.width - last * across.block))
            filterAcross()
        }
        summed = 0
        finished += 1
        while written < target.height, down.starts[written] + down.taps <= finished {
            filterDown()
            writeLine()
            written += 1
        }
    }

    private mutating func filterAcross() {
        let (starts, acrossWeights, width, taps) = (across.starts, acrossWeights, target.width, across.taps)
        let row = finished % down.taps * width
        ring.withUnsafeMutableBufferPointer { ring in
            sums.withUnsafeBufferPointer { sums in
                acrossWeights.withUnsafeBufferPointer { weights in
                    starts.withUnsafeBufferPointer { starts in
                        for x in 0..<width {
                            let (start, first) = (starts[x], x &* taps)
                            var sum = Pixel.zero
                            for tap in 0..<taps { sum += sums[start &+ tap] * weights[first &+ tap] }
                            ring[row &+ x] = sum
                        }
                    }
                }
            }
        }
    }

    /// Computes the next row of the result from four rows of the ring at a time.
    private mutating func filterDown() {
        let (taps, start, width) = (down.taps, down.starts[written], target.width)
        line.withUnsafeMutableBufferPointer { $0.update(repeating: .zero) }
        for first in stride(from: 0, to: taps, by: 4) {
            var (rows, weights) = (SIMD4<Int>.zero, Pixel.zero)
            for tap in first..<min(first + 4, taps) {
                rows[tap - first] = (start + tap) % taps * width
                weights[tap - first] = down.weights[written * taps + tap]
            }
            addRows(at: rows, weighing: weights)
        }
    }

    private mutating func addRows(at rows: SIMD4<Int>, weighing weights: Pixel) {
        let (ring, width) = (ring, target.width)
        line.withUnsafeMutableBufferPointer { line in
            ring.withUnsafeBufferPointer { ring in
                for x in 0..<width {
                    let first = ring[rows.x &+ x] * weights.x + ring[rows.y &+ x] * weights.y
                    line[x] += first + (ring[rows.z &+ x] * weights.z + ring[rows.w &+ x] * weights.w)
                }
            }
        }
    }

    /// Writes the current row of the result.
    ///
    /// The loop runs over channels, which the compiler vectorizes with saturation; it would not do so for a loop over
    /// pixels.
    private mutating func writeLine() {
        if !isOpaque { line.withUnsafeMutableBufferPointer { for x in $0.indices { $0[x] = Self.straight($0[x]) } } }
        let (start, count) = (written * target.width * 4, target.width * 4)
        bytes.withUnsafeMutableBufferPointer { bytes in
            line.withUnsafeBytes { line in
                let channels = line.assumingMemoryBound(to: Float.self)
                for place in 0..<count { bytes[start &+ place] = Self.rounded(channels[place]) }
            }
        }
    }
}

extension SeparableFilter {
    /// Returns a pixel in 0…255, premultiplied.
    @inline(__always)
    private static func pixel(_ row: UnsafeRawBufferPointer, _ x: Int, _ isOpaque: Bool) -> Pixel {
        let pixel = Pixel(row.loadUnaligned(fromByteOffset: x * 4, as: SIMD4<UInt8>.self))
        if isOpaque { return pixel }
        let alpha = pixel.w * (1 / 255)
        return pixel * Pixel(alpha, alpha, alpha, 1)
    }

    /// Converts to straight alpha; an invisible pixel becomes zero.
    @inline(__always)
    private static func straight(_ pixel: Pixel) -> Pixel {
        guard pixel.w >= 0.5 else { return .zero }
        let factor = 255 / pixel.w
        return pixel * Pixel(factor, factor, factor, 1)
    }

    /// Returns the nearest integer in 0…255.
    @inline(__always)
    private static func rounded(_ channel: Float) -> UInt8 {
        // At 2²³ the spacing of single-precision numbers is 1, so the addition rounds and leaves the integer in the
        // lowest bits.
        UInt8(truncatingIfNeeded: (max(0, min(255, channel)) + 8_388_608).bitPattern)
    }
}

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
    /// The blocks that have a weight.
    var used: Range<Int> { starts.first.map { $0..<(starts.last ?? $0) + taps } ?? 0..<0 }

    /// Creates a kernel in which each result weighs the blocks around its centre by distance.
    ///
    /// - Parameters:
    ///   - length: The number of blocks in the source line.
    ///   - block: The number of pixels per block.
    ///   - results: The results that are computed.
    ///   - reach: The largest distance of a weighted block from the centre, in blocks.
    ///   - centers: A closure that returns the centre of a result, in blocks.
    ///   - weight: A closure that returns the weight at a distance in blocks.
    private init(
        length: Int, block: Int, results: Range<Int>, reach: Double, centers: (Int) -> Double,
        weight: (Double) -> Double
    ) {
        (self.length, self.block) = (length, block)
        taps = min(length, Int((2 * reach).rounded(.up)) + 1)
        weights = [Float](repeating: 0, count: results.count * taps)
        for (row, result) in results.enumerated() {
            let center = centers(result)
            let places = Int((center - reach).rounded(.up))...Int((center + reach).rounded(.down))
            let start = min(max(places.lowerBound, 0), length - taps)
            let values = places.map { weight(Double($0) - center) }
            let sum = values.reduce(0, +)
            for (place, value) in zip(places, values) {
                weights[row * taps + min(max(place, 0), length - 1) - start] += Float(value / sum)
            }
            starts.append(start)
        }
    }
}

extension LineKernel {
    /// Creates a kernel that scales a line.
    ///
    /// Where it becomes shorter, blocks are averaged first, so that a scale of less than 4 remains; a windowed sinc with three lobes (Lanczos 3)
    /// does the rest. libvips' `resize` uses the same two steps in the same proportion.
    ///
    /// - Parameters:
    ///   - source: The length of the source line in pixels.
    ///   - target: The length of the result in pixels, at least 1.
    ///   - extent: The length of the picture in source pixels, if the last one is partly outside.
    ///   - part: The pixels of the result that are computed; nil for all.
    static func scaling(_ source: Int, to target: Int, extent: Double? = nil, part: Range<Int>? = nil) -> LineKernel {
        let block = max(1, source / (2 * target))
        let scale = (extent ?? Double(source)) / Double(target * block)
        return LineKernel(
            length: (source + block - 1) / block, block: block, results: part ?? 0..<target,
            reach: lobes * max(1, scale),
            centers: { (Double($0) + 0.5) * scale - 0.5 }, weight: { lanczos($0 / max(1, scale)) })
    }

    /// Creates a Gaussian blur with the weight e^(−d² / 2σ²) at the distance d.
    ///
    /// Weights below a hundredth of the largest are ignored.
    static func blurring(_ length: Int, sigma: Double) -> LineKernel {
        let reach = (sigma * (2 * log(100)).squareRoot()).rounded(.down)
        return LineKernel(
            length: length, block: 1, results: 0..<length, reach: reach, centers: { Double($0) },
            weight: { exp(-$0 * $0 / (2 * sigma * sigma)) })
    }

    private static let lobes = 3.0

    /// Returns sinc(x) · sinc(x / 3) for |x| < 3, and 0 beyond.
    ///
    /// Source: Duchon, "Lanczos Filtering in One and Two Dimensions" (1979).
    private static func lanczos(_ x: Double) -> Double {
        guard x != 0 else { return 1 }
        guard abs(x) < lobes else { return 0 }
        // sin 3a = (3 − 4 sin² a) sin a.
        let lobe = sin(.pi * x / lobes)
        return lobes * (lobes - 4 * lobe * lobe) * lobe * lobe / (.pi * .pi * x * x)
    }
}
