import Raster
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct CroppingImageProcessorTests {
    private typealias Anchor = CroppingImageProcessor.Anchor

    @Test(arguments: [
        (5, 4, 0.0, 0.0, 0, 0), (5, 4, 1, 1, 14, 10), (5, 4, 0.5, 0.5, 7, 5), (4, 4, 0.5, 0.5, 8, 5),
        (19, 3, 0.3, 0.9, 0, 10), (1, 1, 1, 0, 18, 0), (5, 4, -3, 9, 0, 10),
    ])
    func `the anchor decides the position of the crop`(
        width: Int, height: Int, x: Double, y: Double, left: Int, top: Int
    ) throws {
        let size = PixelSize(width: width, height: height)
        let result = try CroppingImageProcessor(size: size, anchor: Anchor(x: x, y: y)).pixels(of: Probes.large)
        #expect(result.size == size)
        for row in 0..<height {
            for column in 0..<width {
                #expect(result[column, row] == Probes.large[left + column, top + row])
            }
        }
    }

    @Test(arguments: [(100, 100, 19, 14), (100, 2, 19, 2), (3, 100, 3, 14)])
    func `a box larger than the picture is clipped`(width: Int, height: Int, keptWidth: Int, keptHeight: Int) throws {
        let processor = CroppingImageProcessor(size: PixelSize(width: width, height: height))
        let kept = PixelSize(width: keptWidth, height: keptHeight)
        #expect(try processor.pixels(of: Probes.large).size == kept)
    }

    @Test func `a picture smaller than the box is unchanged`() throws {
        let processor = CroppingImageProcessor(size: PixelSize(width: .max, height: .max), anchor: Anchor(x: 1, y: 1))
        for picture in Probes.all { #expect(try processor.pixels(of: picture) == picture) }
    }

    @Test func `an empty box is refused`() {
        #expect(throws: CodecError.self) { try CroppingImageProcessor(size: .zero).pixels(of: Probes.large) }
    }

    @Test func `an anchor with NaN is the top left`() {
        #expect(Anchor(x: .nan, y: .nan) == Anchor(x: 0, y: 0))
    }
}
