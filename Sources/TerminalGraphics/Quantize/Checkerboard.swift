import Raster

extension PixelBuffer {
    /// The picture over a checkerboard of two greys, itself opaque; what is opaque already stays as it is.
    ///
    /// The greys are near the brightness of a background, but far enough from it that a black picture is seen on black,
    /// and a white one on white. A square has `side` pixels, 8 by default.
    public func checkered(around background: Color, side: Int = 8) -> PixelBuffer {
        guard !isOpaque else { return self }
        var result = self
        let (width, side) = (size.width, max(1, side))
        let greys = Self.greys(around: background)
        result.withMutableBytes { bytes in
            for pixel in 0..<bytes.count / 4 where bytes[pixel * 4 + 3] < 255 {
                let square = pixel % width / side + pixel / width / side
                let (alpha, grey) = (Int(bytes[pixel * 4 + 3]), greys[square % 2])
                for channel in pixel * 4..<pixel * 4 + 3 {
                    let mixed = Int(bytes[channel]) * alpha + grey * (255 - alpha)
                    bytes[channel] = UInt8(truncatingIfNeeded: (mixed + 127) / 255)
                }
                bytes[pixel * 4 + 3] = 255
            }
        }
        return result
    }

    /// Lighter than a dark background, darker than a light one.
    ///
    /// Its luma decides, weighted as in Rec. 601.
    private static func greys(around background: Color) -> [Int] {
        let luma = background.luma / 1000
        return luma < 128 ? [luma + 72, luma + 104] : [luma - 72, luma - 104]
    }
}
