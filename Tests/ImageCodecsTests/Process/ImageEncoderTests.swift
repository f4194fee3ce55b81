import Foundation
import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct ImageEncoderTests {
    private func decoded(_ data: Data) throws -> Image {
        try VipsDecoder().decode(data, within: nil, limits: .standard)
    }

    private func roundTrip(_ picture: PixelBuffer, _ format: ImageFormat, quality: Int = 85) throws -> PixelBuffer {
        let image = try decoded(ImageEncoder.encode(Pictures.image(picture), as: format, quality: quality))
        #expect(image.format == format)
        return image.pixels
    }

    private func meanDifference(_ one: PixelBuffer, _ other: PixelBuffer) -> Double {
        let sum = zip(one.bytes, other.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(one.bytes.count)
    }

    private let smooth = PixelBuffer(size: PixelSize(width: 64, height: 48), filledWith: .black).mapped(x: 4, y: 5)

    @Test func `a PNG is lossless`() throws {
        #expect(try roundTrip(Probes.large, .png) == Probes.large)
    }

    @Test(arguments: [ImageFormat.jpeg, .webP, .gif])
    func `lossy formats are close to the original`(format: ImageFormat) throws {
        let result = try roundTrip(smooth, format)
        #expect(result.size == smooth.size && result.isOpaque)
        #expect(meanDifference(result, smooth) < 4)
    }

    @Test(arguments: [ImageFormat.jpeg, .webP])
    func `a higher quality gives more bytes and a smaller error`(format: ImageFormat) throws {
        let image = Pictures.image(smooth)
        let small = try ImageEncoder.encode(image, as: format, quality: 10)
        let large = try ImageEncoder.encode(image, as: format, quality: 95)
        #expect(small.count < large.count)
        #expect(try meanDifference(decoded(large).pixels, smooth) < meanDifference(decoded(small).pixels, smooth))
    }

    @Test(arguments: [(-5, 1), (0, 1), (101, 100), (.max, 100)])
    func `quality is clamped`(quality: Int, clamped: Int) throws {
        let image = Pictures.image(smooth)
        #expect(
            try ImageEncoder.encode(image, as: .jpeg, quality: quality)
                == ImageEncoder.encode(image, as: .jpeg, quality: clamped))
    }

    @Test func `transparency is blended with the background in a JPEG`() throws {
        let clear = PixelBuffer(
            size: PixelSize(width: 16, height: 16), filledWith: Color(red: 200, green: 0, blue: 0, alpha: 0))
        #expect(try roundTrip(clear, .jpeg)[8, 8] == .white)
        let image = Pictures.image(clear)
        let green = try decoded(ImageEncoder.encode(image, as: .jpeg, background: Color(red: 0, green: 255, blue: 0)))
        #expect(green.pixels[8, 8].green > 250 && green.pixels[8, 8].red < 5)
    }

    @Test(arguments: [ImageFormat.webP, .gif])
    func `transparency is kept in formats that support it`(format: ImageFormat) throws {
        var picture = PixelBuffer(size: PixelSize(width: 16, height: 16), filledWith: .white)
        for y in 0..<16 { for x in 0..<8 { picture[x, y].alpha = 0 } }
        let result = try roundTrip(picture, format)
        #expect(result[2, 8].alpha == 0 && result[13, 8] == .white)
    }

    @Test(arguments: [ImageFormat.jpeg, .png, .gif, .webP], [(1, 1), (1, 9), (9, 1)])
    func `pictures one pixel wide or high are encoded`(format: ImageFormat, side: (Int, Int)) throws {
        let size = PixelSize(width: side.0, height: side.1)
        #expect(try roundTrip(Pictures.gradient(size), format).size == size)
    }

    @Test func `a picture that the format cannot hold is an error`() {
        let wide = PixelBuffer(size: PixelSize(width: 16_384, height: 1), filledWith: .white)
        #expect(throws: CodecError.self) { try ImageEncoder.encode(Pictures.image(wide), as: .webP) }
        let small = PixelBuffer(size: PixelSize(width: 1, height: 1), filledWith: .white)
        #expect(throws: CodecError.processor(.decoderUnavailable("AVIF is not written"))) {
            try ImageEncoder.encode(Pictures.image(small), as: .avif)
        }
    }
}

extension PixelBuffer {
    /// Colours that change by so much a pixel.
    fileprivate func mapped(x stepX: Int, y stepY: Int) -> PixelBuffer {
        var result = self
        for y in 0..<size.height {
            for x in 0..<size.width {
                result[x, y] = Color(
                    red: UInt8(min(255, x * stepX)), green: UInt8(min(255, y * stepY)),
                    blue: UInt8(min(255, (x + y) * 2)))
            }
        }
        return result
    }
}
