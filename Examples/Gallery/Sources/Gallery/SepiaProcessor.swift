import ImageLoading
import Raster

/// Tones a picture in sepia brown.
///
/// Each channel is a weighted sum of all three, by the matrix of the W3C Filter Effects Module Level 1, section 9.4.
struct SepiaProcessor: ImageProcessor {
    let identifier = "gallery.sepia"

    private static let weights = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]

    func process(_ image: Image) throws(CodecError) -> Image {
        var pixels = image.pixels
        pixels.withMutableBytes { bytes in
            for pixel in stride(from: 0, to: bytes.count, by: 4) {
                let old = (0..<3).map { Double(bytes[pixel + $0]) }
                for (channel, weights) in Self.weights.enumerated() {
                    let sum = zip(weights, old).reduce(0) { $0 + $1.0 * $1.1 }
                    bytes[pixel + channel] = UInt8(min(255, sum.rounded()))
                }
            }
        }
        return image.with(pixels)
    }
}
