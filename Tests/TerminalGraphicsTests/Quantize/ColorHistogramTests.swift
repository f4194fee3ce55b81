import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct ColorHistogramTests {
    @Test func `a picture within the limit is counted with every pixel`() {
        var histogram = ColorHistogram()
        histogram.add(Pictures.noise(63, 65), limit: 4096)
        #expect(histogram.bins.reduce(0) { $0 + Int($1.w) } == 63 * 65)
    }

    @Test func `a bin holds the sums of its pixels`() {
        var histogram = ColorHistogram()
        histogram.add(PixelBuffer(size: PixelSize(width: 3, height: 1), filledWith: Color(red: 1, green: 2, blue: 3)))
        #expect(histogram.bins[0] == SIMD4(3, 6, 9, 3))
    }

    @Test func `a larger picture is sampled up to twice the limit`() {
        var histogram = ColorHistogram()
        histogram.add(Pictures.noise(100, 100), limit: 1000)
        #expect(histogram.bins.reduce(0) { $0 + Int($1.w) } == 1000)
    }

    @Test func `samples come from every column`() {
        var histogram = ColorHistogram()
        let picture = Pictures.make(32, 320) { x, _ in Color(red: UInt8(x * 8), green: 0, blue: 0) }
        histogram.add(picture, limit: 320)
        let columns = (0..<32).filter { histogram.bins[$0 << 10].w > 0 }
        #expect(columns.count > 24)
    }
}
