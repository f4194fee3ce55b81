import Glibc
import Raster

/// The numbers that tell how much two pictures of the same size differ.
///
/// Transparent parts count as black.
package struct PictureDifference: Sendable, Equatable {
    /// The peak signal-to-noise ratio in decibels: 10 · log₁₀(255² / MSE) over red, green and blue; infinite for equal
    /// pixels.
    package let psnr: Double
    /// The mean structural similarity of the luma, −1…1; 1 for equal pixels.
    ///
    /// Formula and constants: Wang, Bovik, Sheikh, Simoncelli, "Image quality assessment: from error visibility to
    /// structural similarity" (2004), with its Gaussian window of 11×11 and σ 1.5. The luma is 0.299 R + 0.587 G +
    /// 0.114 B. A picture with a side below 11 is one window with equal weights.
    package let ssim: Double

    /// Measures two pictures; nil if their sizes differ or are empty.
    package init?(_ first: PixelBuffer, _ second: PixelBuffer) {
        guard first.size == second.size, !first.size.isEmpty else { return nil }
        var squares = 0
        Self.forEachPair(first, second) { _, first, second in
            let difference = abs(Int(first) - Int(second))
            squares += difference * difference
        }
        let error = Double(squares) / Double(first.size.area * 3)
        psnr = squares == 0 ? .infinity : 10 * log10(255 * 255 / error)
        ssim = squares == 0 ? 1 : StructuralSimilarity(first.size).mean(first.luma, second.luma)
    }

    /// The factor that makes the differences visible: the power of two, 1…64, that brings their root mean square to 32
    /// to 64.
    package var amplification: Int {
        guard psnr.isFinite else { return 1 }
        var (factor, error) = (1, 255 / pow(10, psnr / 20))
        while factor < 64, error <= 32 { (factor, error) = (factor * 2, error * 2) }
        return factor
    }

    /// Returns the absolute differences of two pictures of the same size, multiplied by a factor, at most 255.
    package static func picture(_ first: PixelBuffer, _ second: PixelBuffer, amplifiedBy factor: Int) -> PixelBuffer {
        PixelBuffer(size: first.size) { target in
            for pixel in 0..<first.size.area { target[pixel * 4 + 3] = 255 }
            forEachPair(first, second) { target[$0] = UInt8(min(255, abs(Int($1) - Int($2)) * factor)) }
        }
    }

    /// Calls `body` with the offset and the values of each red, green and blue.
    private static func forEachPair(_ first: PixelBuffer, _ second: PixelBuffer, _ body: (Int, UInt8, UInt8) -> Void) {
        first.bytes.withUnsafeBufferPointer { first in
            second.bytes.withUnsafeBufferPointer { second in
                for pixel in stride(from: 0, to: min(first.count, second.count), by: 4) {
                    for offset in pixel..<pixel + 3 {
                        body(
                            offset, first[offset].weighted(by: first[pixel + 3]),
                            second[offset].weighted(by: second[pixel + 3]))
                    }
                }
            }
        }
    }
}

extension UInt8 {
    fileprivate func weighted(by alpha: UInt8) -> UInt8 {
        alpha == 255 ? self : UInt8((Int(self) * Int(alpha) + 127) / 255)
    }
}

extension PixelBuffer {
    fileprivate var luma: [Float] {
        stride(from: 0, to: bytes.count, by: 4).map { offset in
            let value =
                0.299 * Float(bytes[offset]) + 0.587 * Float(bytes[offset + 1]) + 0.114 * Float(bytes[offset + 2])
            return value * Float(bytes[offset + 3]) / 255
        }
    }
}

/// The mean of SSIM over all windows that lie inside the picture.
private struct StructuralSimilarity {
    private static let side = 11
    private static let sigma: Float = 1.5
    private static let (c1, c2): (Float, Float) = (6.5025, 58.5225)

    private let (width, height): (Int, Int)
    private let window: [Float]

    init(_ size: PixelSize) {
        (width, height) = (size.width, size.height)
        let middle = Float(Self.side / 2)
        let weights = (0..<Self.side).map {
            exp(-(Float($0) - middle) * (Float($0) - middle) / (2 * Self.sigma * Self.sigma))
        }
        let sum = weights.reduce(0, +)
        window = weights.map { $0 / sum }
    }

    func mean(_ first: [Float], _ second: [Float]) -> Double {
        guard min(width, height) >= Self.side else { return whole(first, second) }
        let (columns, rows) = (width - Self.side + 1, height - Self.side + 1)
        // For each of the last rows: the sums of x, y, x², y² and x·y along the row.
        var sums = [Float](repeating: 0, count: Self.side * 5 * columns)
        var total = 0.0
        var vertical = [Float](repeating: 0, count: 5 * columns)
        for row in 0..<height {
            let slot = row % Self.side * 5 * columns
            sumAlong(row, first, second, columns, &sums, slot)
            guard row >= Self.side - 1 else { continue }
            for index in vertical.indices { vertical[index] = 0 }
            for tap in 0..<Self.side {
                let start = (row - Self.side + 1 + tap) % Self.side * 5 * columns
                let weight = window[tap]
                for index in 0..<5 * columns { vertical[index] += weight * sums[start + index] }
            }
            for column in 0..<columns {
                total += Double(
                    Self.similarity(
                        vertical[column], vertical[columns + column], vertical[2 * columns + column],
                        vertical[3 * columns + column], vertical[4 * columns + column]))
            }
        }
        return total / Double(columns * rows)
    }

    private func sumAlong(
        _ row: Int, _ first: [Float], _ second: [Float], _ columns: Int, _ sums: inout [Float], _ slot: Int
    ) {
        for index in slot..<slot + 5 * columns { sums[index] = 0 }
        for tap in 0..<Self.side {
            let weight = window[tap]
            let start = row * width + tap
            for column in 0..<columns {
                let (x, y) = (first[start + column], second[start + column])
                sums[slot + column] += weight * x
                sums[slot + columns + column] += weight * y
                sums[slot + 2 * columns + column] += weight * x * x
                sums[slot + 3 * columns + column] += weight * y * y
                sums[slot + 4 * columns + column] += weight * x * y
            }
        }
    }

    private func whole(_ first: [Float], _ second: [Float]) -> Double {
        let count = Float(first.count)
        func mean(_ values: some Sequence<Float>) -> Float { values.reduce(0, +) / count }
        return Double(
            Self.similarity(
                mean(first), mean(second), mean(first.map { $0 * $0 }), mean(second.map { $0 * $0 }),
                mean(zip(first, second).map(*))))
    }

    /// - Parameters: the means of x, y, x², y² and x·y.
    private static func similarity(_ x: Float, _ y: Float, _ xx: Float, _ yy: Float, _ xy: Float) -> Float {
        let (varianceX, varianceY, covariance) = (xx - x * x, yy - y * y, xy - x * y)
        return (2 * x * y + c1) * (2 * covariance + c2) / ((x * x + y * y + c1) * (varianceX + varianceY + c2))
    }
}
