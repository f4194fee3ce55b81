import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct VarianceCutTests {
    @Test func `distant clusters get one colour each`() {
        let clusters = [Color.black, .white, Color(red: 255, green: 0, blue: 0), Color(red: 0, green: 0, blue: 255)]
        var cut = VarianceCut(histogram(Pictures.make(40, 4) { x, _ in clusters[x % 4] }))
        #expect(Set(cut.colors(4)) == Set(clusters))
    }

    @Test func `fewer colours than requested are returned if they suffice`() {
        var cut = VarianceCut(histogram(Pictures.make(4, 4) { x, _ in x < 2 ? .black : .white }))
        #expect(cut.colors(256).count == 2)
    }

    @Test func `a box is represented by the mean of its pixels`() {
        var cut = VarianceCut(histogram(Pictures.make(4, 1) { x, _ in x < 1 ? .black : .white }))
        #expect(cut.colors(1) == [Color(red: 191, green: 191, blue: 191)])
    }

    @Test func `the first cut is the one with the largest gain`() {
        let picture = Pictures.make(100, 1) { x, _ in
            x < 50 ? .black : x < 99 ? .white : Color(red: 200, green: 255, blue: 255)
        }
        var cut = VarianceCut(histogram(picture))
        let colors = cut.colors(2)
        #expect(colors.count == 2)
        #expect(colors.contains(.black))
    }

    @Test func `an empty picture gives no colors`() {
        var cut = VarianceCut(ColorHistogram())
        #expect(cut.colors(16).isEmpty)
    }

    private func histogram(_ picture: PixelBuffer) -> ColorHistogram {
        var histogram = ColorHistogram()
        histogram.add(picture)
        return histogram
    }
}
