import Raster
import TestSupport
import Testing

@testable import AlcedoImageCodecs

@Suite(.timeLimit(.minutes(1)))
struct BorderImageProcessorTests {
    private static let translucent = Color(red: 20, green: 200, blue: 90, alpha: 120)

    private func expectReference(_ processor: BorderImageProcessor, middle radius: Double) throws {
        let picture = Probes.large
        let half = processor.lineWidth / 2
        let outer = PointwiseOutline(
            picture.size, radius: radius > 0 ? radius + half : 0, corners: processor.corners)
        let inner = PointwiseOutline(
            picture.size, inset: processor.lineWidth, radius: max(0, radius - half), corners: processor.corners)
        let color = ReferencePixel(processor.color)
        expectPixels(try processor.pixels(of: picture), within: 255 * coverageTolerance * 2.5) { x, y in
            let under = ReferencePixel(picture[x, y])
            let alpha = color.alpha * (outer.coverage(x, y) - inner.coverage(x, y))
            let sum = zip(color.channels, under.premultiplied).map { $0 * alpha + $1 * (1 - alpha) }
            return ReferencePixel(premultiplied: sum, alpha: alpha + under.alpha * (1 - alpha))
        }
    }

    @Test(arguments: [(4.0, 0.0), (1, 0), (2.5, 0), (2, 4), (3, 1), (1.5, 5), (14, 0), (0.3, 2)])
    func `the border line covers pixels by their area`(lineWidth: Double, radius: Double) throws {
        for color in [Color.black, Self.translucent] {
            for corners in [Corners.all, [.topLeft, .bottomRight]] {
                let processor = BorderImageProcessor(
                    color: color, lineWidth: lineWidth, radius: .point(radius), corners: corners)
                try expectReference(processor, middle: radius)
            }
        }
    }

    @Test func `the outer radius is at most half the shorter side`() throws {
        try expectReference(BorderImageProcessor(lineWidth: 4, radius: .point(500)), middle: 5)
        try expectReference(BorderImageProcessor(lineWidth: 2, radius: .heightFraction(0.25)), middle: 3.5)
    }

    @Test func `a sharp border fills exactly its frame`() throws {
        let picture = Pictures.gradient(PixelSize(width: 12, height: 10))
        let result = try BorderImageProcessor(color: .white, lineWidth: 2).pixels(of: picture)
        for y in 0..<10 {
            for x in 0..<12 {
                let isFrame = x < 2 || y < 2 || x >= 10 || y >= 8
                #expect(result[x, y] == (isFrame ? .white : picture[x, y]))
            }
        }
    }

    @Test(arguments: [8, 9.5, 16_384, .greatestFiniteMagnitude] as [Double])
    func `a line as wide as the picture covers it completely`(lineWidth: Double) throws {
        let processor = BorderImageProcessor(color: .white, lineWidth: lineWidth)
        for picture in [Probes.picture(16, 9), Probes.picture(1, 1), Probes.picture(1, 9)] {
            let result = try processor.pixels(of: picture)
            #expect(result == PixelBuffer(size: picture.size, filledWith: .white))
        }
    }

    @Test(arguments: [0, -2, .nan, .infinity] as [Double])
    func `an invalid width draws no border`(lineWidth: Double) throws {
        let processor = BorderImageProcessor(lineWidth: lineWidth, radius: .point(3))
        #expect(try processor.pixels(of: Probes.large) == Probes.large)
    }

    @Test func `the default border equals that of Kingfisher`() {
        let border = BorderImageProcessor()
        #expect(border.color == .black && border.lineWidth == 4 && border.radius == .point(0) && border.corners == .all)
    }
}
