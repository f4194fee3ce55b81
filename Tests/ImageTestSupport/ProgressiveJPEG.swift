import AlcedoImageCodecs
import Foundation
import Raster
import TestSupport

/// JPEG files in scans, and JPEG structures written byte by byte.
package enum ProgressiveJPEG {
    /// A picture with fine and coarse detail, in libjpeg's ten scans.
    package static func file(width: Int = 320, height: Int = 240) throws -> Data {
        try VipsOperations.file(of: picture(width, height), format: .jpeg, suffix: ".jpg[strip,interlace]")
    }

    private static func picture(_ width: Int, _ height: Int) -> PixelBuffer {
        var pixels = Pictures.gradient(PixelSize(width: width, height: height))
        for y in 0..<height {
            for x in 0..<width {
                let wave = 60 * sin(Double(x * y) / 900) + 40 * cos(Double(x) / 3)
                pixels[x, y].blue = UInt8(min(255, max(0, 128 + wave)))
                pixels[x, y].red = UInt8(min(255, max(0, 128 + 90 * sin(Double(x + y) / 6))))
                let grain = 36 * sin(Double(y) * 1.1) * cos(Double(x) * 0.9)
                pixels[x, y].green = UInt8(min(255, max(0, Double(pixels[x, y].green) + grain)))
            }
        }
        return pixels
    }

    /// A segment with its length.
    package static func segment(_ code: UInt8, _ content: [UInt8] = [1, 2, 3]) -> [UInt8] {
        [0xFF, code, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
    }

    /// Decibels of the peak signal over the mean squared error; more is closer.
    package static func closeness(_ one: PixelBuffer, _ other: PixelBuffer) -> Double {
        let errors = zip(one.bytes, other.bytes).reduce(0.0) { sum, pair in
            let difference = Double(pair.0) - Double(pair.1)
            return sum + difference * difference
        }
        return 10 * log10(255 * 255 / max(1e-9, errors / Double(one.bytes.count)))
    }
}
