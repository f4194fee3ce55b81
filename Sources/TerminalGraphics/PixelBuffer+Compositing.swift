import Raster

extension PixelBuffer {
    /// Returns the opaque picture over a background colour.
    package func flattened(over background: Color) -> PixelBuffer {
        composited { _ in background }
    }

    /// Returns the picture drawn over a checkerboard of two greys, so that the result is opaque.
    ///
    /// The greys are close to the brightness of a background, but far enough from it that a black picture is visible on
    /// black, and a white one on white. A square has 8 pixels.
    package func checkered(around background: Color) -> PixelBuffer {
        let (width, side) = (size.width, 8)
        let luma = background.luma / 1000
        let greys = (luma < 128 ? [luma + 72, luma + 104] : [luma - 72, luma - 104]).map { level in
            Color(red: UInt8(level), green: UInt8(level), blue: UInt8(level))
        }
        return composited { pixel in greys[(pixel % width / side + pixel / width / side) % 2] }
    }

    /// Blends each transparent pixel with a backdrop; `backdrop` returns the colour for the index of a pixel.
    @inline(__always)
    private func composited(over backdrop: (Int) -> Color) -> PixelBuffer {
        guard !isOpaque else { return self }
        var result = self
        result.withMutableBytes { bytes in
            for pixel in 0..<bytes.count / 4 where bytes[pixel * 4 + 3] < 255 {
                let (start, alpha, back) = (pixel * 4, Int(bytes[pixel * 4 + 3]), backdrop(pixel))
                bytes[start] = Self.mixed(bytes[start], back.red, alpha)
                bytes[start + 1] = Self.mixed(bytes[start + 1], back.green, alpha)
                bytes[start + 2] = Self.mixed(bytes[start + 2], back.blue, alpha)
                bytes[start + 3] = 255
            }
        }
        return result
    }

    @inline(__always)
    private static func mixed(_ front: UInt8, _ back: UInt8, _ alpha: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: (Int(front) * alpha + Int(back) * (255 - alpha) + 127) / 255)
    }
}

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
