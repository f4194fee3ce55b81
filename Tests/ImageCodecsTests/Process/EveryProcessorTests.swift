import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

/// What holds for every processor alike.
@Suite(.timeLimit(.minutes(1)))
struct EveryProcessorTests {
    /// One chain for each processor and each way that it works.
    static let texts = [
        "downsample(5x5)", "resize(7x3, stretch)", "resize(7x3, fit)", "resize(7x3, fill)", "crop(3x2, anchor: 1 0)",
        "round(4)", "round(30%w, size: 6x6, corners: tl, background: #fff)", "border(2, black, radius: 3)",
        "border(99)",
        "blur(1.5)", "overlay(#ff0000, 0.5)", "tint(#0000ff80)",
        "color(brightness: 0.1, contrast: 1.2, saturation: 0.5, exposure: 0.3)", "bw",
        "blend(multiply, background: #c86432)",
        "blend(color, alpha: 0.5, background: #c8643280)", "blend(xor, background: #c8643280)", "flip(horizontal)",
        "flip(vertical)", "rotate(90)", "rotate(180)", "rotate(270)", "rotate(33)",
    ]

    @Test(arguments: texts)
    func `every processor accepts thin pictures and all alpha values`(text: String) throws {
        let processor = try ProcessorGrammar.parse(text)
        for picture in Probes.all + [PixelBuffer(size: PixelSize(width: 300, height: 1), filledWith: .white)] {
            let result = try processor.pixels(of: picture)
            #expect(!result.size.isEmpty && result.bytes.count == result.size.area * 4)
        }
    }

    @Test(arguments: texts)
    func `a processor is deterministic and keeps the other facts of the picture`(text: String) throws {
        let processor = try ProcessorGrammar.parse(text)
        let image = Image(
            pixels: Probes.large, originalSize: PixelSize(width: 99, height: 77), format: .gif, frameCount: 3,
            byteCount: 12)
        let result = try processor.process(image)
        #expect(try processor.process(image) == result)
        #expect(result.originalSize == image.originalSize && result.format == .gif)
        #expect(result.frameCount == 3 && result.byteCount == 12)
    }

    /// EXIF orientation 3 is a half turn: processed as it is seen, not as it is stored.
    @Test(arguments: texts)
    func `a picture with orientation 3 is processed upright`(text: String) throws {
        let decoder = VipsDecoder()
        let processor = try ProcessorGrammar.parse(text)
        let stored = try decoder.decode(OrientedJPEG.data(orientation: 1), within: nil, limits: .standard)
        let seen = try decoder.decode(OrientedJPEG.data(orientation: 3), within: nil, limits: .standard)
        let upright = try RotateImageProcessor(angle: 180).process(stored)
        #expect(try processor.pixels(of: seen.pixels) == processor.pixels(of: upright.pixels))
    }

    @Test func `the top left of a picture with orientation 3 is the stored bottom right`() throws {
        let seen = try VipsDecoder().decode(OrientedJPEG.data(orientation: 3), within: nil, limits: .standard)
        let corner = try ProcessorGrammar.parse("crop(4x4, anchor: 0 0)").process(seen).pixels
        #expect(corner[1, 1].red > 240 && corner[1, 1].green > 240 && corner[1, 1].blue > 240)
    }

    @Test(arguments: texts.filter { !$0.contains("background") && !$0.hasPrefix("tint") && !$0.hasPrefix("border") })
    func `transparent pixels stay transparent where nothing is drawn`(text: String) throws {
        let clear = PixelBuffer(
            size: PixelSize(width: 12, height: 9), filledWith: Color(red: 255, green: 0, blue: 0, alpha: 0))
        let result = try ProcessorGrammar.parse(text).pixels(of: clear)
        #expect(stride(from: 3, to: result.bytes.count, by: 4).allSatisfy { result.bytes[$0] == 0 })
    }
}
