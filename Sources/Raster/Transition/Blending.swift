extension PixelBuffer {
    /// Mixes two pictures of one size; `progress` (0…1) is the share of the second.
    static func blend(_ from: PixelBuffer, _ to: PixelBuffer, _ progress: Double) -> PixelBuffer {
        let weight = Int((progress * 256).rounded())
        return PixelBuffer(size: to.size) { output in
            from.bytes.withUnsafeBufferPointer { old in
                to.bytes.withUnsafeBufferPointer { new in
                    for pixel in Swift.stride(from: 0, to: output.count, by: 4) {
                        mix(old, new, pixel, weight, output)
                    }
                }
            }
        }
    }

    /// Mixes one pixel; colours are weighted by alpha, so that transparent pixels contribute no colour.
    @inline(__always)
    private static func mix(
        _ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>, _ pixel: Int, _ weight: Int,
        _ output: UnsafeMutableBufferPointer<UInt8>
    ) {
        let oldShare = Int(old[pixel + 3]) * (256 - weight)
        let newShare = Int(new[pixel + 3]) * weight
        let share = oldShare + newShare
        output[pixel + 3] = UInt8(truncatingIfNeeded: (share + 128) >> 8)
        let opaque = share == 255 * 256
        for channel in pixel..<pixel + 3 {
            let sum = Int(old[channel]) * oldShare + Int(new[channel]) * newShare
            output[channel] = UInt8(truncatingIfNeeded: opaque ? (sum / 255 + 128) >> 8 : sum / max(share, 1))
        }
    }

    /// Shows the second picture left of a line that moves to the right, and the first one right of it.
    static func wipe(_ from: PixelBuffer, _ to: PixelBuffer, _ progress: Double) -> PixelBuffer {
        let width = to.size.width
        let edge = Int((progress * Double(width)).rounded())
        return select(from, to) { pixel in pixel % width < edge }
    }

    /// Shows the second picture in squares that appear in a pseudo-random order, which is always the same.
    static func dissolve(_ from: PixelBuffer, _ to: PixelBuffer, _ progress: Double) -> PixelBuffer {
        let (width, squareBits) = (to.size.width, 2)
        let limit = UInt32(progress * 65536)
        return select(from, to) { pixel in
            scattered(pixel % width >> squareBits, pixel / width >> squareBits) < limit
        }
    }

    private static func select(
        _ from: PixelBuffer, _ to: PixelBuffer, takesSecond: (Int) -> Bool
    ) -> PixelBuffer {
        var result = from
        result.withMutableBytes { output in
            to.bytes.withUnsafeBufferPointer { new in
                for pixel in 0..<to.size.area where takesSecond(pixel) {
                    for byte in pixel * 4..<pixel * 4 + 4 { output[byte] = new[byte] }
                }
            }
        }
        return result
    }

    /// Returns a pseudo-random number 0…65,535 for a square, by an integer hash.
    private static func scattered(_ column: Int, _ row: Int) -> UInt32 {
        var hash = UInt32(truncatingIfNeeded: column) &* 0x9E37_79B1 ^ UInt32(truncatingIfNeeded: row) &* 0x85EB_CA77
        hash = (hash ^ hash >> 15) &* 0x2C1B_3C6D
        hash = (hash ^ hash >> 12) &* 0x297A_2D39
        return (hash ^ hash >> 15) >> 16
    }
}
