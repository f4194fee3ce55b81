import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct DownsamplingImageProcessorTests {
    private func size(_ width: Int, _ height: Int, within box: PixelSize) throws -> PixelSize {
        let picture = Pictures.image(Pictures.gradient(PixelSize(width: width, height: height)))
        return try DownsamplingImageProcessor(size: box).process(picture).size
    }

    @Test(arguments: [
        (40, 20, 20, 20), (20, 40, 20, 20), (33, 47, 10, 100), (300, 1, 7, 7), (1, 300, 7, 7), (40, 30, 39, 30),
    ])
    func `the result fits the box and keeps the aspect`(width: Int, height: Int, boxWidth: Int, boxHeight: Int) throws {
        let box = PixelSize(width: boxWidth, height: boxHeight)
        let size = try size(width, height, within: box)
        let factor = min(Double(boxWidth) / Double(width), Double(boxHeight) / Double(height))
        #expect(size.width <= boxWidth && size.height <= boxHeight)
        #expect(abs(Double(size.width) - max(1, Double(width) * factor)) <= 1)
        #expect(abs(Double(size.height) - max(1, Double(height) * factor)) <= 1)
    }

    @Test func `a smaller picture is not scaled up`() throws {
        #expect(try size(8, 6, within: PixelSize(width: 100, height: 100)) == PixelSize(width: 8, height: 6))
    }

    @Test func `an empty box is refused and not used while decoding`() {
        #expect(throws: CodecError.self) { try size(8, 6, within: .zero) }
        #expect(DownsamplingImageProcessor(size: .zero).decodeBox == nil)
    }

    @Test func `halving a picture with two-pixel blocks keeps their colours`() throws {
        var pixels = PixelBuffer(size: PixelSize(width: 16, height: 16), filledWith: .black)
        for y in 0..<16 { for x in 0..<8 { pixels[x, y] = .white } }
        let result = try DownsamplingImageProcessor(size: PixelSize(width: 8, height: 8))
            .process(Pictures.image(pixels)).pixels
        for y in 0..<8 {
            #expect(result[0, y].red > 250)
            #expect(result[7, y].red < 5)
        }
    }
}
