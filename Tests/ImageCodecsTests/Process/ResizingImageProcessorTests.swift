import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct ResizingImageProcessorTests {
    private func size(_ reference: PixelSize, _ mode: FitMode, of picture: PixelSize) throws -> PixelSize {
        let image = Pictures.image(Pictures.gradient(picture))
        return try ResizingImageProcessor(referenceSize: reference, mode: mode).process(image).size
    }

    @Test(arguments: [
        (FitMode.stretch, 30, 7), (.fit, 14, 7), (.fill, 30, 15),
    ])
    func `each mode gives its expected size`(mode: FitMode, width: Int, height: Int) throws {
        let reference = PixelSize(width: 30, height: 7)
        let result = try size(reference, mode, of: PixelSize(width: 20, height: 10))
        #expect(result == PixelSize(width: width, height: height))
    }

    @Test func `a smaller picture is scaled up`() throws {
        #expect(
            try size(PixelSize(width: 90, height: 90), .fit, of: PixelSize(width: 3, height: 2))
                == PixelSize(width: 90, height: 60))
    }

    @Test func `a uniform picture keeps its colour and alpha`() throws {
        let color = Color(red: 10, green: 200, blue: 77, alpha: 130)
        let image = Pictures.image(PixelBuffer(size: PixelSize(width: 9, height: 9), filledWith: color))
        let result = try ResizingImageProcessor(referenceSize: PixelSize(width: 20, height: 4)).process(image).pixels
        for offset in stride(from: 0, to: result.bytes.count, by: 4) {
            for (byte, wanted) in zip(result.bytes[offset..<(offset + 4)], [10, 200, 77, 130]) {
                #expect(abs(Int(byte) - wanted) <= 1)
            }
        }
    }

    @Test(arguments: [
        (0, 5, FitMode.fit), (100_000_001, 1, .stretch), (.max, 1, .fill), (1, .max, .fit), (16_384, 16_384, .stretch),
        (16_384, 1, .fill),
    ])
    func `an excessive or empty size is refused`(width: Int, height: Int, mode: FitMode) {
        #expect(throws: CodecError.self) {
            try size(PixelSize(width: width, height: height), mode, of: PixelSize(width: 1, height: 300))
        }
    }
}
