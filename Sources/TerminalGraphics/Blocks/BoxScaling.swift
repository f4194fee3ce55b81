import Raster

extension PixelBuffer {
    /// Scales the picture; each pixel is the mean of the covered area, and transparent pixels have no weight.
    ///
    /// Empty sizes yield an empty picture. Complexity: O(pixels of both sizes).
    package func boxScaled(to target: PixelSize) -> PixelBuffer {
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

    /// Returns the pixels, at least one, of one of `count` equal parts of `length`, rounded to whole pixels.
    ///
    /// At most 65,536 pixels are used, so that 32 bits hold the sum of a row.
    private static func span(_ part: Int, of count: Int, over length: Int) -> Range<Int> {
        let lower = min(part * length / count, length - 1)
        return lower..<min(max(lower + 1, (part + 1) * length / count), lower + 65_536)
    }

    private func mean(columns: Range<Int>, rows: Range<Int>) -> SIMD4<UInt8> {
        let sums = bytes.withUnsafeBytes { bytes in
            rows.reduce(SIMD4<Int>.zero) { sums, y in
                let start = (y * size.width + columns.lowerBound) * 4
                let row = UnsafeRawBufferPointer(rebasing: bytes[start..<start + columns.count * 4])
                return sums &+ SIMD4<Int>(truncatingIfNeeded: Self.weightedSum(row))
            }
        }
        let weight = sums.w
        guard weight > 0 else { return .zero }
        let count = columns.count * rows.count
        let mean = SIMD4(sums.x, sums.y, sums.z, 0) &+ weight / 2
        return SIMD4(
            UInt8(mean.x / weight), UInt8(mean.y / weight), UInt8(mean.z / weight), UInt8((weight + count / 2) / count))
    }

    /// Returns the sums of red, green and blue, each times alpha, and of alpha.
    private static func weightedSum(_ row: UnsafeRawBufferPointer) -> SIMD4<UInt32> {
        var sums = SIMD4<UInt32>.zero
        for offset in stride(from: 0, to: row.count, by: 4) {
            var color = SIMD4<UInt32>(
                truncatingIfNeeded: row.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self))
            let alpha = color.w
            color.w = 1
            sums &+= color &* alpha
        }
        return sums
    }
}
