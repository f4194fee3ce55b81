import Foundation
import Raster

extension PerceptualHash {
    /// Computes the hash; nil for an empty picture.
    ///
    /// A thumbnail of 64 × 64 pixels has nearly the hash of the picture.
    public init?(_ picture: PixelBuffer) {
        guard !picture.size.isEmpty else { return nil }
        let luma = Self.luma(picture.stretched(to: PixelSize(width: Self.side, height: Self.side)))
        let coefficients = Self.lowest(luma)
        let sorted = coefficients.sorted()
        let median = (sorted[31] + sorted[32]) / 2
        self.init(bits: coefficients.reduce(0) { $0 << 1 | ($1 > median ? 1 : 0) })
    }

    private static let side = 32
    private static let kept = 8

    private static func luma(_ picture: PixelBuffer) -> [Double] {
        stride(from: 0, to: picture.bytes.count, by: 4).map { place in
            let (red, green) = (UInt32(picture.bytes[place]), UInt32(picture.bytes[place + 1]))
            let sum = red * 19_595 + green * 38_470 + UInt32(picture.bytes[place + 2]) * 7_471
            return Double((sum + 32_768) >> 16)
        }
    }

    /// cos(π k (2n + 1) / 2N) for each k and n.
    private static let waves = (0..<kept * side).map { place in
        let (k, n) = place.quotientAndRemainder(dividingBy: side)
        return cos(.pi * Double(k * (2 * n + 1)) / Double(2 * side))
    }

    /// Returns the 8 × 8 lowest coefficients, row by row: Xₖ = Σ xₙ cos(π k (2n + 1) / 2N), in each direction.
    private static func lowest(_ luma: [Double]) -> [Double] {
        let waves = waves
        var across = [Double](repeating: 0, count: side * kept)
        for row in 0..<side {
            for k in 0..<kept {
                for n in 0..<side { across[row * kept + k] += luma[row * side + n] * waves[k * side + n] }
            }
        }
        var result = [Double](repeating: 0, count: kept * kept)
        for k in 0..<kept {
            for column in 0..<kept {
                for n in 0..<side { result[k * kept + column] += across[n * kept + column] * waves[k * side + n] }
            }
        }
        // Without it, the bits of flat pictures and gradients would be rounding errors.
        return result.map { ($0 * 1000).rounded() }
    }
}

extension PerceptualHash {
    /// Returns a picture in grey, stretched to the square that the hash is computed from.
    ///
    /// Each result is the mean of the values within the distance of one result, weighted by a triangle. Hashes of
    /// photos differ from those of the colour picture by 1 bit in the mean.
    ///
    /// - Parameters:
    ///   - lightness: The rows of the picture, one byte a pixel.
    ///   - width: The length of a row; neither side may be shorter than 32 pixels.
    static func square(ofLightness lightness: [UInt8], width: Int) -> PixelBuffer {
        let height = lightness.count / width
        let (across, down) = (triangles(width), triangles(height))
        var line = [Float](repeating: 0, count: width)
        return PixelBuffer(size: PixelSize(width: side, height: side)) { bytes in
            for row in 0..<side {
                line.withUnsafeMutableBufferPointer { line in
                    line.update(repeating: 0)
                    lightness.withUnsafeBufferPointer { lightness in
                        for (tap, weight) in down[row].weights.enumerated() {
                            let start = (down[row].start + tap) * width
                            for x in 0..<width { line[x] += weight * Float(lightness[start &+ x]) }
                        }
                    }
                    for column in 0..<side {
                        let (start, weights) = across[column]
                        var sum: Float = 0
                        for tap in 0..<weights.count { sum += weights[tap] * line[start &+ tap] }
                        let value = UInt8(max(0, min(255, sum.rounded())))
                        for channel in 0..<3 { bytes[(row * side + column) * 4 + channel] = value }
                        bytes[(row * side + column) * 4 + 3] = 255
                    }
                }
            }
        }
    }

    /// Returns, for each result of a line, the index of the first source value and the weights of that value and the
    /// next ones.
    private static func triangles(_ length: Int) -> [(start: Int, weights: [Float])] {
        let scale = Float(length) / Float(side)
        return (0..<side).map { result in
            let center = (Float(result) + 0.5) * scale - 0.5
            let places = max(0, Int((center - scale).rounded(.up)))...min(length - 1, Int(center + scale))
            let weights = places.map { max(0, 1 - abs(Float($0) - center) / scale) }
            let sum = weights.reduce(0, +)
            return (places.lowerBound, weights.map { $0 / sum })
        }
    }
}

extension PixelBuffer {
    /// Returns the picture stretched to a size, each side scaled down by Lanczos or repeated by the nearest pixel.
    fileprivate func stretched(to target: PixelSize) -> PixelBuffer {
        let down = PixelSize(width: min(size.width, target.width), height: min(size.height, target.height))
        let scaled = scaledDown(to: down)
        guard down != target else { return scaled }
        return scaled.rearranged(to: target) { ($0 * down.width / target.width, $1 * down.height / target.height) }
    }
}
