import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct OverlayImageProcessorTests {
    private static let colors = [
        Color(red: 255, green: 0, blue: 0), Color(red: 12, green: 200, blue: 99, alpha: 128),
        Color(red: 1, green: 2, blue: 3, alpha: 0),
    ]

    @Test(arguments: colors, [0, 0.25, 0.5, 0.9, 1])
    func `picture and colour are mixed and the alpha is kept`(color: Color, fraction: Double) throws {
        for picture in Probes.all {
            let result = try OverlayImageProcessor(overlay: color, fraction: fraction).pixels(of: picture)
            expectPixels(result) { x, y in
                let (own, over) = (ReferencePixel(picture[x, y]), ReferencePixel(color))
                let sum = zip(own.channels, over.premultiplied).map {
                    own.alpha * (fraction * $0 + (1 - fraction) * $1)
                }
                return ReferencePixel(
                    premultiplied: sum, alpha: own.alpha * (fraction + (1 - fraction) * over.alpha))
            }
        }
    }

    @Test func `fraction 0 is the solid colour and 1 the unchanged picture`() throws {
        let color = Color(red: 200, green: 10, blue: 30)
        let picture = Pictures.gradient(PixelSize(width: 9, height: 7))
        let solid = PixelBuffer(size: picture.size, filledWith: color)
        #expect(try OverlayImageProcessor(overlay: color, fraction: 0).pixels(of: picture) == solid)
        #expect(try OverlayImageProcessor(overlay: color, fraction: 1).pixels(of: Probes.large) == Probes.large)
    }

    @Test func `the fraction is 0.5 by default and clamped`() {
        #expect(OverlayImageProcessor(overlay: .black).fraction == 0.5)
        #expect(OverlayImageProcessor(overlay: .black, fraction: -1).fraction == 0)
        #expect(OverlayImageProcessor(overlay: .black, fraction: .infinity).fraction == 1)
        #expect(OverlayImageProcessor(overlay: .black, fraction: .nan).fraction == 0.5)
    }
}
