import FoundationEssentials
import Glibc
import Raster

extension PerceptualHash {
    /// Computes the hash of the picture inside its border; nil for an empty or flat picture, whose hash would say
    /// nothing.
    ///
    /// A thumbnail of 64 × 64 pixels has nearly the hash of the picture.
    public init?(_ picture: PixelBuffer) {
        guard !picture.size.isEmpty else { return nil }
        let square = PixelSize(width: Self.side, height: Self.side)
        self.init(square: picture.part(Self.inside(picture)).stretched(to: square))
    }

    /// Computes the hash of a square of 32 × 32 pixels.
    init?(square: PixelBuffer) {
        let luma = Self.luma(square)
        let mean = luma.reduce(0, +) / Double(luma.count)
        let variance = luma.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(luma.count)
        guard variance >= Self.leastDeviation * Self.leastDeviation else { return nil }
        let coefficients = Self.lowest(luma)
        let sorted = coefficients.sorted()
        let median = (sorted[31] + sorted[32]) / 2
        self.init(bits: coefficients.reduce(0) { $0 << 1 | ($1 > median ? 1 : 0) })
    }

    private static let (side, kept) = (32, 8)
    /// The standard deviation of the luma, out of 255, below which a picture is flat.
    private static let leastDeviation = 1.5

    private static func luma(_ picture: PixelBuffer) -> [Double] {
        stride(from: 0, to: picture.bytes.count, by: 4).map { place in
            let (red, green) = (UInt32(picture.bytes[place]), UInt32(picture.bytes[place + 1]))
            let sum = red * 19_595 + green * 38_470 + UInt32(picture.bytes[place + 2]) * 7_471
            return Double((sum + 32_768) >> 16)
        }
    }

    /// cos(π k (2n + 1) / 2N) for each n, with k from 0 to 7.
    private static let waves = (0..<side).map { n in
        SIMD8<Double>((0..<kept).map { cos(.pi * Double($0 * (2 * n + 1)) / Double(2 * side)) })
    }

    /// Returns the 8 × 8 lowest coefficients, row by row: Xₖ = Σ xₙ cos(π k (2n + 1) / 2N), in each direction.
    private static func lowest(_ luma: [Double]) -> [Double] {
        let waves = waves
        let across = (0..<side).map { row in
            waves.indices.reduce(into: SIMD8<Double>()) { $0 += luma[row * side + $1] * waves[$1] }
        }
        let result = (0..<kept).flatMap { k in
            let sums = waves.indices.reduce(into: SIMD8<Double>()) { $0 += across[$1] * waves[$1][k] }
            return sums.indices.map { sums[$0] }
        }
        // Without it, the bits of flat pictures and gradients would be rounding errors.
        return result.map { ($0 * 1000).rounded() }
    }
}

extension PerceptualHash {
    /// The values by which pixels of a border may differ, and the part of a side that a border may have.
    private static let (tolerance, mostBorder) = (4, 4)

    /// Returns the part of a picture's pixels that are inside its borders, 0 to 1.
    package static func partInside(_ picture: PixelBuffer) -> Double {
        Double(inside(picture).size.area) / Double(max(1, picture.size.area))
    }

    private static func inside(_ picture: PixelBuffer) -> PixelRect {
        inside(width: picture.size.width, height: picture.size.height) { x, y in
            picture.bytes[(y * picture.size.width + x) * 4 + 1]
        }
    }

    /// Returns the part of a picture inside its borders of one colour; the whole picture if it has none.
    ///
    /// A frame around a margin is two borders. Where one is cut off, a line of mixed pixels goes, too.
    ///
    /// - Parameter value: A value of the pixel at x and y.
    static func inside(width: Int, height: Int, _ value: (_ x: Int, _ y: Int) -> UInt8) -> PixelRect {
        // The first and last columns, then the first and last rows.
        var (starts, ends) = ((0, 0), (width - 1, height - 1))
        func cut(_ most: Int, along range: ClosedRange<Int>, _ value: (_ depth: Int, _ place: Int) -> UInt8) -> Int {
            let corner = Int(value(0, range.lowerBound))
            let depth = (0..<max(0, most)).first { depth in
                range.contains { abs(Int(value(depth, $0)) - corner) > tolerance }
            }
            let cut = depth ?? max(0, most)
            return cut == 0 ? 0 : min(cut + 1, most)
        }
        for _ in 0..<3 {
            let (first, last) = (starts, ends)
            let (columns, rows) = (width / mostBorder, height / mostBorder)
            starts.0 += cut(columns - first.0, along: first.1...last.1) { value(first.0 + $0, $1) }
            ends.0 -= cut(columns - (width - 1 - last.0), along: first.1...last.1) { value(last.0 - $0, $1) }
            starts.1 += cut(rows - first.1, along: first.0...last.0) { value($1, first.1 + $0) }
            ends.1 -= cut(rows - (height - 1 - last.1), along: first.0...last.0) { value($1, last.1 - $0) }
            if first == starts, last == ends { break }
        }
        var rect = PixelRect(PixelSize(width: ends.0 - starts.0 + 1, height: ends.1 - starts.1 + 1))
        (rect.x, rect.y) = starts
        return rect
    }

    /// Returns a picture in grey without its border, stretched to the square that the hash is computed from.
    ///
    /// Each result is the mean of the values within the distance of one result, weighted by a triangle. Hashes of
    /// photos differ from those of the colour picture by 1 bit in the mean.
    ///
    /// - Parameters:
    ///   - lightness: The rows of the picture, one byte a pixel.
    ///   - width: The length of a row; neither side may be shorter than 64 pixels.
    static func square(ofLightness lightness: [UInt8], width: Int) -> PixelBuffer {
        let inside = inside(width: width, height: lightness.count / width) { lightness[$1 * width + $0] }
        let (origin, stride) = (inside.y * width + inside.x, width)
        let (width, height) = (inside.size.width, inside.size.height)
        let (across, down) = (triangles(width), triangles(height))
        var line = [Float](repeating: 0, count: width)
        return PixelBuffer(size: PixelSize(width: side, height: side)) { bytes in
            for row in 0..<side {
                line.withUnsafeMutableBufferPointer { line in
                    line.update(repeating: 0)
                    lightness.withUnsafeBufferPointer { lightness in
                        for (tap, weight) in down[row].weights.enumerated() {
                            let start = origin + (down[row].start + tap) * stride
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
        let scaled = resampled(to: down)
        guard down != target else { return scaled }
        return scaled.rearranged(to: target) { ($0 * down.width / target.width, $1 * down.height / target.height) }
    }
}
