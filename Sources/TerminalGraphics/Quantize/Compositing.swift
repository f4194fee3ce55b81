import Raster

extension PixelBuffer {
    /// Returns the opaque picture over a background colour.
    func flattened(over background: Color) -> PixelBuffer {
        composited { _ in background }
    }

    /// Returns the opaque picture over a checkerboard of two greys; an opaque picture is unchanged.
    ///
    /// The greys are close to the brightness of a background, but far enough from it that a black picture is visible on
    /// black, and a white one on white. A square has `side` pixels, 8 by default.
    package func checkered(around background: Color, side: Int = 8) -> PixelBuffer {
        let (width, side) = (size.width, max(1, side))
        let luma = background.luma / 1000
        let greys = (luma < 128 ? [luma + 72, luma + 104] : [luma - 72, luma - 104]).map { level in
            Color(red: UInt8(level), green: UInt8(level), blue: UInt8(level))
        }
        return composited { pixel in greys[(pixel % width / side + pixel / width / side) % 2] }
    }

    /// Mixes each transparent pixel with the colour of a backdrop at its index.
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
