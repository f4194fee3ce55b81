import Raster

extension PixelBuffer {
    /// The picture in another size, each pixel the mean of the area it covers; transparent pixels weigh nothing.
    ///
    /// Empty sizes give an empty picture. Complexity: O(pixels of both sizes).
    func boxScaled(to target: PixelSize) -> PixelBuffer {
        guard target != size else { return self }
        guard !target.isEmpty, !size.isEmpty else { return PixelBuffer(size: .zero, filledWith: .black) }
        let columns = (0..<target.width).map { Self.span($0, of: target.width, over: size.width) }
        return PixelBuffer(size: target) { output in
            for y in 0..<target.height {
                let rows = Self.span(y, of: target.height, over: size.height)
                for x in 0..<target.width {
                    let color = mean(columns: columns[x], rows: rows)
                    let offset = (y * target.width + x) * 4
                    for channel in 0..<4 { output[offset + channel] = color[channel] }
                }
            }
        }
    }

    /// The pixels, at least one, that one of `count` equal parts of `length` covers, rounded to whole pixels.
    private static func span(_ part: Int, of count: Int, over length: Int) -> Range<Int> {
        let lower = min(part * length / count, length - 1)
        return lower..<max(lower + 1, (part + 1) * length / count)
    }

    private func mean(columns: Range<Int>, rows: Range<Int>) -> SIMD4<UInt8> {
        var sums = SIMD4<Int>.zero
        bytes.withUnsafeBufferPointer { bytes in
            for y in rows {
                for x in columns {
                    let offset = (y * size.width + x) * 4
                    let alpha = Int(bytes[offset + 3])
                    let color = SIMD4(Int(bytes[offset]), Int(bytes[offset + 1]), Int(bytes[offset + 2]), 1)
                    sums &+= color &* alpha
                }
            }
        }
        let weight = sums.w
        guard weight > 0 else { return .zero }
        let count = columns.count * rows.count
        let mean = SIMD4(sums.x, sums.y, sums.z, 0) &+ weight / 2
        return SIMD4(
            UInt8(mean.x / weight), UInt8(mean.y / weight), UInt8(mean.z / weight), UInt8((weight + count / 2) / count))
    }
}
