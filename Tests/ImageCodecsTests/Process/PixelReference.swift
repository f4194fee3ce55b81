import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

/// A pixel of an independent computation: straight, each channel in 0…1, in double precision.
struct ReferencePixel {
    var channels: [Double]
    var alpha: Double

    init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double) {
        channels = [red, green, blue]
        self.alpha = alpha
    }

    init(_ color: Color) {
        self.init(
            Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255, Double(color.alpha) / 255)
    }

    /// From colour that is multiplied by alpha.
    init(premultiplied: [Double], alpha: Double) {
        channels = premultiplied.map { alpha > 0 ? $0 / alpha : 0 }
        self.alpha = alpha
    }

    var premultiplied: [Double] { channels.map { $0 * alpha } }
}

/// Pictures of every kind that a processor must take: all alphas, a single pixel, single rows and columns.
enum Probes {
    static let large = picture(19, 14)
    static let all = [large, picture(1, 1), picture(1, 9), picture(9, 1), picture(2, 2)]

    /// Every pixel differs; alphas 0 and 255 are frequent, the rest goes through all values.
    static func picture(_ width: Int, _ height: Int) -> PixelBuffer {
        var pixels = Pictures.gradient(PixelSize(width: width, height: height))
        for y in 0..<height {
            for x in 0..<width {
                let step = x * 37 + y * 91 + 5
                pixels[x, y].alpha = [255, 0, UInt8(step % 256), 255, UInt8(step * 3 % 256), 1][(x + y * 2) % 6]
            }
        }
        return pixels
    }
}

/// Half a step of 256 from rounding, and what single precision may lose.
let roundingTolerance = 0.52

/// Expects each pixel to be that of the computation, within a tolerance in 255ths; what is invisible has no colour.
func expectPixels(
    _ result: PixelBuffer, within tolerance: Double = roundingTolerance, location: SourceLocation = #_sourceLocation,
    _ reference: (_ x: Int, _ y: Int) -> ReferencePixel
) {
    for y in 0..<result.size.height {
        for x in 0..<result.size.width {
            let pixel = result[x, y]
            let expected = reference(x, y)
            var isRight = abs(Double(pixel.alpha) - clamped(expected.alpha)) <= tolerance
            if clamped(expected.alpha) > 0.5 {
                for (value, wanted) in zip([pixel.red, pixel.green, pixel.blue], expected.channels) {
                    if abs(Double(value) - clamped(wanted)) > tolerance { isRight = false }
                }
            }
            if !isRight {
                let wanted = (expected.channels + [expected.alpha]).map(clamped)
                Issue.record("at \(x), \(y): \(pixel), expected \(wanted)", sourceLocation: location)
                return
            }
        }
    }
}

private func clamped(_ value: Double) -> Double { min(max(value, 0), 1) * 255 }

extension ImageProcessor {
    /// The result's pixels alone.
    func pixels(of picture: PixelBuffer) throws -> PixelBuffer { try process(Pictures.image(picture)).pixels }
}
