import Raster
import Testing

@testable import BrowserApp

@Suite(.timeLimit(.minutes(1)))
struct BrightnessHistogramTests {
    private func shares(_ width: Int, _ height: Int, _ color: (Int, Int) -> Color) -> [Double] {
        var pixels = PixelBuffer(size: PixelSize(width: width, height: height), filledWith: .clear)
        for y in 0..<height { for x in 0..<width { pixels[x, y] = color(x, y) } }
        return BrightnessHistogram.shares(of: pixels)
    }

    @Test func `black is in the first range and white in the last`() {
        let shares = shares(4, 1) { x, _ in x == 0 ? .black : .white }
        #expect(shares.count == 16)
        #expect(shares.first == 1.0 / 3 && shares.last == 1 && shares[1..<15].allSatisfy { $0 == 0 })
    }

    @Test func `all greys are spread evenly`() {
        let shares = shares(256, 1) { x, _ in Color(red: UInt8(x), green: UInt8(x), blue: UInt8(x)) }
        #expect(shares.allSatisfy { $0 > 0.85 })
    }

    @Test func `transparent pixels do not count`() {
        #expect(shares(2, 1) { x, _ in x == 0 ? .clear : .white }.dropLast().allSatisfy { $0 == 0 })
        #expect(shares(2, 2) { _, _ in .clear }.isEmpty)
        #expect(BrightnessHistogram.shares(of: PixelBuffer(size: .zero, filledWith: .black)).isEmpty)
    }

    @Test func `of a large picture a part is counted, but not the same columns of each row`() {
        let shares = shares(1_200, 900) { x, _ in x % 4 == 0 ? .white : .black }
        #expect(abs((shares.last ?? 0) - 1.0 / 3) < 0.02 && shares.first == 1)
    }
}
