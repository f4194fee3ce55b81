import Raster
import Testing

@testable import ImageLoading

struct RoundCornerImageProcessorTests {
    private func alpha(_ width: Int, _ height: Int, _ radius: RoundCornerImageProcessor.Radius) -> [[UInt8]] {
        let pixels = PixelBuffer(size: PixelSize(width: width, height: height), filledWith: .white)
        let result = RoundCornerImageProcessor(radius: radius).process(Pictures.image(pixels)).pixels
        return (0..<height).map { y in (0..<width).map { result[$0, y].alpha } }
    }

    /// The part of a pixel inside the rounded rectangle, by 16×16 points in it.
    private func coverage(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ radius: Double) -> Double {
        var inside = 0
        for row in 0..<16 {
            for column in 0..<16 {
                let point = (x: Double(x) + (Double(column) + 0.5) / 16, y: Double(y) + (Double(row) + 0.5) / 16)
                let dx = max(radius - point.x, point.x - (Double(width) - radius), 0)
                let dy = max(radius - point.y, point.y - (Double(height) - radius), 0)
                if dx * dx + dy * dy <= radius * radius { inside += 1 }
            }
        }
        return Double(inside) / 256
    }

    @Test(arguments: [(20, 20, 6.0), (21, 16, 8), (40, 9, 4.5), (9, 9, 4.5), (12, 12, 1), (30, 30, 15), (17, 23, 2.3)])
    func aPixelKeepsThePartOfItThatLiesInsideWithinASixth(width: Int, height: Int, radius: Double) {
        let alpha = alpha(width, height, .point(radius))
        for y in 0..<height {
            for x in 0..<width {
                let expected = coverage(x, y, width, height, radius)
                #expect(abs(Double(alpha[y][x]) / 255 - expected) <= 0.17, "at \(x), \(y)")
            }
        }
    }

    @Test func allFourCornersAreAlike() {
        let alpha = alpha(13, 11, .point(5))
        for y in 0..<11 {
            for x in 0..<13 {
                #expect(alpha[y][x] == alpha[10 - y][x])
                #expect(alpha[y][x] == alpha[y][12 - x])
            }
        }
        #expect(alpha[0][0] == 0)
        #expect(alpha[5][6] == 255)
    }

    @Test func aPartOfASideIsThatManyPixelsAndHalfTheShorterSideIsTheMost() {
        #expect(alpha(40, 20, .widthFraction(0.1)) == alpha(40, 20, .point(4)))
        #expect(alpha(40, 20, .heightFraction(0.25)) == alpha(40, 20, .point(5)))
        #expect(alpha(40, 20, .widthFraction(1)) == alpha(40, 20, .point(10)))
        #expect(alpha(40, 20, .point(1e300)) == alpha(40, 20, .point(10)))
    }

    @Test(arguments: [0, -5, Double.nan, .infinity])
    func aRadiusThatIsNoneChangesNothing(radius: Double) {
        #expect(alpha(6, 6, .point(radius)).joined().allSatisfy { $0 == 255 })
    }

    @Test(arguments: [(1, 1), (1, 9), (9, 1), (2, 2)])
    func thinPicturesKeepTheirMiddle(width: Int, height: Int) {
        #expect(alpha(width, height, .point(20))[height / 2][width / 2] > 100)
    }

    @Test func colourStaysAndAlphaIsOnlyTakenAway() {
        let pixels = Pictures.gradient(PixelSize(width: 12, height: 12), alpha: 100)
        let result = RoundCornerImageProcessor(radius: .point(6)).process(Pictures.image(pixels)).pixels
        for y in 0..<12 {
            for x in 0..<12 {
                #expect(result[x, y].red == pixels[x, y].red && result[x, y].blue == pixels[x, y].blue)
                #expect(result[x, y].alpha <= 100)
            }
        }
    }
}
