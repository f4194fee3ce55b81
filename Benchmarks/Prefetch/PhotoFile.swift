import Foundation
import ImageLoading
import Raster
import TestSupport

/// JPEG files as a camera makes them: slopes with a little noise, no two alike.
enum PhotoFile {
    /// Returns a file of about 15 KB for 400 × 300 pixels, and of 0.9 MB for 2,700 × 2,000.
    static func make(_ size: PixelSize, seed: UInt64) throws -> Data {
        let slopes = Pictures.slopes(size.width, size.height)
        let noise = Pictures.noise(size.width, size.height, seed: seed)
        let turn = UInt8(truncatingIfNeeded: seed &* 37)
        let bytes = zip(slopes.bytes, noise.bytes).enumerated().map { place, pair in
            place % 4 == 3 ? 255 : (pair.0 &+ turn) / 2 &+ pair.1 / 16
        }
        let pixels = PixelBuffer(size: size, bytes: bytes) ?? slopes
        let image = Image(pixels: pixels, originalSize: size, format: .png, frameCount: 1, byteCount: 0)
        return try ImageEncoder.encode(image, as: .jpeg)
    }
}
