import Raster

/// A processor that sets every channel to the luma Y′ = 0.2126 R′ + 0.7152 G′ + 0.0722 B′ (ITU-R BT.709).
///
/// Kingfisher also brightens by 0.7 EV, which clips highlights; `color(saturation: 0, exposure: 0.7)` gives that result.
public struct BlackWhiteProcessor: ImageProcessor {
    public init() {}

    public var identifier: String { "bw" }

    public func process(_ image: Image) -> Image {
        var pixels = image.pixels
        pixels.withMutableBytes { bytes in
            for offset in stride(from: 0, to: bytes.count, by: 4) {
                let luma = luma(red: bytes[offset], green: bytes[offset + 1], blue: bytes[offset + 2])
                bytes[offset] = luma
                bytes[offset + 1] = luma
                bytes[offset + 2] = luma
            }
        }
        return image.with(pixels)
    }

    /// Computes the luma in fixed point with 16 fractional bits.
    ///
    /// The weights add up to 65,536, so white stays white.
    private func luma(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
        let weighted: UInt32 = 13_933 * UInt32(red) + 46_871 * UInt32(green)
        let sum: UInt32 = weighted + 4_732 * UInt32(blue) + 32_768
        return UInt8(sum >> 16)
    }
}
