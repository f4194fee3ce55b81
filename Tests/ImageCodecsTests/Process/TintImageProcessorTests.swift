import Raster
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct TintImageProcessorTests {
    @Test(arguments: [0, 1, 128, 254, 255] as [UInt8])
    func `the colour is blended over the picture`(alpha: UInt8) throws {
        let color = Color(red: 10, green: 120, blue: 255, alpha: alpha)
        for picture in Probes.all {
            let result = try TintImageProcessor(tint: color).pixels(of: picture)
            expectPixels(result) { x, y in
                let (under, over) = (ReferencePixel(picture[x, y]), ReferencePixel(color))
                let sum = zip(over.premultiplied, under.premultiplied).map { $0 + $1 * (1 - over.alpha) }
                return ReferencePixel(premultiplied: sum, alpha: over.alpha + under.alpha * (1 - over.alpha))
            }
        }
    }

    @Test func `an opaque colour covers everything`() throws {
        let color = Color(red: 10, green: 120, blue: 255)
        let result = try TintImageProcessor(tint: color).pixels(of: Probes.large)
        #expect(result == PixelBuffer(size: Probes.large.size, filledWith: color))
    }
}
