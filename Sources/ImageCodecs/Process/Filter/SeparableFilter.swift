import Raster

/// Applies one kernel across and one down a picture while its rows come, in single precision; colour is weighed by its
/// alpha.
///
/// It holds as many filtered rows as the kernel is tall, and the result. Complexity: O(pixels + results · taps).
struct SeparableFilter {
    typealias Pixel = SIMD4<Float>

    private let source: PixelSize
    private let target: PixelSize
    private let isOpaque: Bool
    private let across: LineKernel
    /// The weights across, each as often as a pixel has channels: looked up and spread out for every row, they would cost
    /// more than their sums.
    private let acrossWeights: [Pixel]
    private let down: LineKernel
    /// Sums of blocks, and how many rows of pixels they hold.
    private var sums: [Pixel]
    private var summed = 0
    /// The last `down.taps` rows that are filtered across; the row n is at n modulo that.
    private var ring: [Pixel]
    /// The row of the result in work.
    private var line: [Pixel]
    /// Rows that came, rows of blocks that are finished, and rows of the result.
    private var (rows, finished, written) = (0, 0, 0)
    private var bytes: [UInt8]

    /// Neither size is empty.
    init(_ source: PixelSize, to target: PixelSize, isOpaque: Bool, across: LineKernel, down: LineKernel) {
        (self.source, self.target, self.isOpaque) = (source, target, isOpaque)
        (self.across, self.down) = (across, down)
        acrossWeights = across.weights.map { Pixel(repeating: $0) }
        sums = [Pixel](repeating: .zero, count: across.length)
        ring = [Pixel](repeating: .zero, count: down.taps * target.width)
        line = [Pixel](repeating: .zero, count: target.width)
        bytes = [UInt8](repeating: 0, count: target.area * 4)
    }

    /// The result; nil before all rows have come.
    var picture: PixelBuffer? { written == target.height ? PixelBuffer(size: target, bytes: bytes) : nil }

    /// Takes the next whole rows, four bytes a pixel.
    mutating func add(_ pixels: UnsafeRawBufferPointer) {
        let stride = source.width * 4
        for start in Swift.stride(from: 0, to: pixels.count, by: stride) {
            sum(UnsafeRawBufferPointer(rebasing: pixels[start..<start + stride]))
            rows += 1
            if summed == down.block || rows == source.height { finish() }
        }
    }

    private mutating func sum(_ row: UnsafeRawBufferPointer) {
        let (isFirst, width, block, isOpaque) = (summed == 0, source.width, across.block, isOpaque)
        summed += 1
        sums.withUnsafeMutableBufferPointer { sums in
            if isFirst, block == 1 {
                for x in 0..<width { sums[x] = Self.pixel(row, x, isOpaque) }
                return
            }
            if isFirst { sums.update(repeating: .zero) }
            for place in 0..<sums.count {
                var sum = sums[place]
                for x in place * block..<min(width, (place + 1) * block) { sum += Self.pixel(row, x, isOpaque) }
                sums[place] = sum
            }
        }
    }

    /// A row of blocks is summed up.
    private mutating func finish() {
        let last = across.length - 1
        let pixels = Float(summed * across.block)
        if pixels > 1 { for x in 0..<last { sums[x] /= pixels } }
        sums[last] /= Float(summed * (source.width - last * across.block))
        summed = 0
        filterAcross()
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
                    for x in 0..<width {
                        let start = starts[x]
                        var sum = Pixel.zero
                        for tap in 0..<taps { sum += sums[start &+ tap] * weights[x &* taps &+ tap] }
                        ring[row &+ x] = sum
                    }
                }
            }
        }
    }

    /// The next row of the result, of four rows of the ring at a time.
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

    /// Channel by channel, which the compiler turns into saturating vectors; pixel by pixel it would not.
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
    /// A pixel in 0…255, premultiplied.
    @inline(__always)
    private static func pixel(_ row: UnsafeRawBufferPointer, _ x: Int, _ isOpaque: Bool) -> Pixel {
        let pixel = Pixel(row.loadUnaligned(fromByteOffset: x * 4, as: SIMD4<UInt8>.self))
        if isOpaque { return pixel }
        let alpha = pixel.w * (1 / 255)
        return pixel * Pixel(alpha, alpha, alpha, 1)
    }

    /// Not premultiplied any more; what is invisible has no colour.
    @inline(__always)
    private static func straight(_ pixel: Pixel) -> Pixel {
        guard pixel.w >= 0.5 else { return .zero }
        let factor = 255 / pixel.w
        return pixel * Pixel(factor, factor, factor, 1)
    }

    /// The nearest of 0…255.
    @inline(__always)
    private static func rounded(_ channel: Float) -> UInt8 {
        // At 2²³ a step of single precision is 1, so that adding it rounds and leaves the integer in the lowest bits.
        UInt8(truncatingIfNeeded: (max(0, min(255, channel)) + 8_388_608).bitPattern)
    }
}
