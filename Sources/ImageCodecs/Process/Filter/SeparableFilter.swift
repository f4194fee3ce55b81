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

    /// Finishes a row of blocks and writes the rows of the result that are then complete.
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
