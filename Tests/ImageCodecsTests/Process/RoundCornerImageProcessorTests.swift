import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct RoundCornerImageProcessorTests {
    private func alpha(
        _ width: Int, _ height: Int, _ radius: CornerRadius, _ corners: Corners = .all
    ) throws -> [[UInt8]] {
        let pixels = PixelBuffer(size: PixelSize(width: width, height: height), filledWith: .white)
        let result = try RoundCornerImageProcessor(radius: radius, roundingCorners: corners).pixels(of: pixels)
        return (0..<height).map { y in (0..<width).map { result[$0, y].alpha } }
    }

    @Test(arguments: [Corners.all, [.topLeft], [.topRight, .bottomLeft], []])
    func `each corner pixel keeps the share inside the outline`(corners: Corners) throws {
        let picture = Probes.large
        let processor = RoundCornerImageProcessor(radius: .point(5.5), roundingCorners: corners)
        let outline = PointwiseOutline(picture.size, radius: 5.5, corners: corners)
        expectPixels(try processor.pixels(of: picture), within: 255 * coverageTolerance) { x, y in
            var pixel = ReferencePixel(picture[x, y])
            pixel.alpha *= outline.coverage(x, y)
            return pixel
        }
    }

    @Test(arguments: [Color.white, Color(red: 255, green: 0, blue: 30, alpha: 100)])
    func `a background lies under the whole picture`(background: Color) throws {
        let picture = Probes.large
        let processor = RoundCornerImageProcessor(radius: .point(4), backgroundColor: background)
        let outline = PointwiseOutline(picture.size, radius: 4)
        let under = ReferencePixel(background)
        expectPixels(try processor.pixels(of: picture), within: 255 * coverageTolerance * 2) { x, y in
            let pixel = ReferencePixel(picture[x, y])
            let alpha = pixel.alpha * outline.coverage(x, y)
            let sum = zip(pixel.channels, under.premultiplied).map { $0 * alpha + $1 * (1 - alpha) }
            return ReferencePixel(premultiplied: sum, alpha: alpha + under.alpha * (1 - alpha))
        }
    }

    @Test func `all four corners are symmetric`() throws {
        let alpha = try alpha(13, 11, .point(5))
        for y in 0..<11 {
            for x in 0..<13 {
                #expect(alpha[y][x] == alpha[10 - y][x])
                #expect(alpha[y][x] == alpha[y][12 - x])
            }
        }
        #expect(alpha[0][0] == 0)
        #expect(alpha[5][6] == 255)
    }

    @Test func `a radius may be a fraction of a side and is at most half the shorter side`() throws {
        #expect(try alpha(40, 20, .widthFraction(0.1)) == alpha(40, 20, .point(4)))
        #expect(try alpha(40, 20, .heightFraction(0.25)) == alpha(40, 20, .point(5)))
        #expect(try alpha(40, 20, .widthFraction(1)) == alpha(40, 20, .point(10)))
        #expect(try alpha(40, 20, .point(1e300)) == alpha(40, 20, .point(10)))
    }

    @Test(arguments: [0, -5, Double.nan, .infinity])
    func `an invalid radius changes nothing`(radius: Double) throws {
        #expect(try RoundCornerImageProcessor(radius: .point(radius)).pixels(of: Probes.large) == Probes.large)
    }

    @Test(arguments: [(1, 1), (1, 9), (9, 1), (2, 2)])
    func `pictures one pixel wide or high keep their middle`(width: Int, height: Int) throws {
        #expect(try alpha(width, height, .point(20))[height / 2][width / 2] > 100)
    }

    @Test func `the target size is applied before the radius`() throws {
        let size = PixelSize(width: 30, height: 12)
        let picture = PixelBuffer(size: PixelSize(width: 60, height: 48), filledWith: .white)
        let result = try RoundCornerImageProcessor(radius: .widthFraction(0.2), targetSize: size).pixels(of: picture)
        #expect(result.size == size)
        let same = PixelBuffer(size: size, filledWith: .white)
        #expect(result == (try RoundCornerImageProcessor(radius: .point(6)).pixels(of: same)))
    }

    @Test(arguments: [PixelSize.zero, PixelSize(width: 100_000_001, height: 1)])
    func `an excessive or empty target size is refused`(size: PixelSize) {
        let processor = RoundCornerImageProcessor(radius: .point(1), targetSize: size)
        #expect(throws: CodecError.self) { try processor.pixels(of: Probes.large) }
    }

    @Test func `rounding changes only alpha`() throws {
        let pixels = Pictures.gradient(PixelSize(width: 12, height: 12), alpha: 100)
        let result = try RoundCornerImageProcessor(radius: .point(6)).pixels(of: pixels)
        for y in 0..<12 {
            for x in 0..<12 {
                #expect(result[x, y].red == pixels[x, y].red && result[x, y].blue == pixels[x, y].blue)
                #expect(result[x, y].alpha <= 100)
            }
        }
    }
}
