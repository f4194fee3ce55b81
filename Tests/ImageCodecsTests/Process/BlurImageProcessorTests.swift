import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct BlurImageProcessorTests {
    private func blur(_ pixels: PixelBuffer, _ radius: Double) throws -> PixelBuffer {
        try BlurImageProcessor(blurRadius: radius).process(Pictures.image(pixels)).pixels
    }

    /// A Gaussian by its formula on premultiplied colour, edges extended; nothing of it is shared with the processor.
    private func reference(_ pixels: PixelBuffer, _ sigma: Double) -> [[Double]] {
        let (width, height) = (pixels.size.width, pixels.size.height)
        let reach = Int((4 * sigma).rounded(.up))
        let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = weights.reduce(0, +)
        var planes = (0..<(width * height)).map { index -> [Double] in
            let alpha = Double(pixels.bytes[index * 4 + 3]) / 255
            return (0..<4).map { Double(pixels.bytes[index * 4 + $0]) * ($0 < 3 ? alpha : 1) }
        }
        for isHorizontal in [true, false] {
            let before = planes
            for y in 0..<height {
                for x in 0..<width {
                    planes[y * width + x] = (0..<4).map { channel in
                        (-reach...reach).reduce(0.0) { total, step in
                            let column = isHorizontal ? min(max(x + step, 0), width - 1) : x
                            let row = isHorizontal ? y : min(max(y + step, 0), height - 1)
                            return total + before[row * width + column][channel] * weights[step + reach] / sum
                        }
                    }
                }
            }
        }
        return planes.map { plane in
            plane.enumerated().map { $0 < 3 ? (plane[3] == 0 ? 0 : $1 * 255 / plane[3]) : $1 }
        }
    }

    @Test(arguments: [0.7, 1.5, 3.0])
    func `the blur is a Gaussian within 2 of 255`(radius: Double) throws {
        var pixels = Pictures.gradient(PixelSize(width: 24, height: 18))
        for x in 8..<14 { for y in 5..<9 { pixels[x, y] = .white } }
        let expected = reference(pixels, radius)
        let result = try blur(pixels, radius)
        for (index, channels) in expected.enumerated() {
            for channel in 0..<4 {
                #expect(abs(Double(result.bytes[index * 4 + channel]) - channels[channel]) <= 2)
            }
        }
    }

    @Test func `transparent pixels do not bleed their colour`() throws {
        var pixels = PixelBuffer(
            size: PixelSize(width: 20, height: 20), filledWith: Color(red: 255, green: 0, blue: 0, alpha: 0))
        for x in 0..<10 { for y in 0..<20 { pixels[x, y] = Color(red: 0, green: 0, blue: 200) } }
        let result = try blur(pixels, 2)
        for x in 0..<20 where result[x, 10].alpha > 8 { #expect(result[x, 10].red <= 8) }
        #expect(result[9, 10].alpha > 100 && result[9, 10].alpha < 160)
    }

    @Test(arguments: [1, 37, 200, 255] as [UInt8])
    func `a uniform picture is unchanged`(value: UInt8) throws {
        let color = Color(red: value, green: 255 - value, blue: 128)
        let pixels = PixelBuffer(size: PixelSize(width: 12, height: 9), filledWith: color)
        #expect(try blur(pixels, 5) == pixels)
    }

    @Test(arguments: [(1, 1), (1, 20), (20, 1)])
    func `pictures one pixel wide or high are blurred`(width: Int, height: Int) throws {
        let pixels = Pictures.gradient(PixelSize(width: width, height: height))
        #expect(try blur(pixels, 3).size == pixels.size)
    }

    @Test func `an out-of-range radius is clamped`() throws {
        #expect(BlurImageProcessor(blurRadius: 1e9).blurRadius == 100)
        for radius in [-1, .nan, -Double.infinity] {
            let pixels = Pictures.gradient(PixelSize(width: 5, height: 5))
            #expect(try blur(pixels, radius) == pixels)
        }
    }
}
