import ImageTestSupport
import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct BlackWhiteProcessorTests {
    @Test func `each channel becomes the BT.709 luma, rounded to the nearest value`() {
        let pixels = Pictures.gradient(PixelSize(width: 64, height: 64), alpha: 90)
        let result = BlackWhiteProcessor().process(Pictures.image(pixels)).pixels
        for y in 0..<64 {
            for x in 0..<64 {
                let (before, after) = (pixels[x, y], result[x, y])
                let luma = 0.2126 * Double(before.red) + 0.7152 * Double(before.green) + 0.0722 * Double(before.blue)
                #expect(abs(Double(after.red) - luma) <= 0.51)
                #expect(after.red == after.green && after.green == after.blue)
                #expect(after.alpha == 90)
            }
        }
    }

    @Test(arguments: [0, 1, 128, 254, 255] as [UInt8])
    func `grey is unchanged`(value: UInt8) {
        let color = Color(red: value, green: value, blue: value)
        let pixels = PixelBuffer(size: PixelSize(width: 3, height: 2), filledWith: color)
        #expect(BlackWhiteProcessor().process(Pictures.image(pixels)).pixels == pixels)
    }
}
