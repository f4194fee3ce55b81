import Raster

extension PixelBuffer {
    /// The picture over an opaque background, itself opaque.
    func flattened(over background: Color) -> PixelBuffer {
        guard !isOpaque else { return self }
        var result = self
        let back = [Int(background.red), Int(background.green), Int(background.blue)]
        result.withMutableBytes { bytes in
            for pixel in stride(from: 0, to: bytes.count, by: 4) where bytes[pixel + 3] < 255 {
                let alpha = Int(bytes[pixel + 3])
                for channel in 0..<3 {
                    let mixed = Int(bytes[pixel + channel]) * alpha + back[channel] * (255 - alpha)
                    bytes[pixel + channel] = UInt8(truncatingIfNeeded: (mixed + 127) / 255)
                }
                bytes[pixel + 3] = 255
            }
        }
        return result
    }
}
