import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct OrderedDitheringTests {
    private let palette = Palette(colors: [.black, .white])

    @Test func `a mid grey sets half the pixels of every tile`() {
        let grey = PixelBuffer(
            size: PixelSize(width: 16, height: 16), filledWith: Color(red: 127, green: 127, blue: 127))
        let indices = OrderedDithering(palette: palette).indices(of: grey, rows: 0..<16)
        let white = indices.count { $0 == 1 }
        #expect((112...144).contains(white))
    }

    @Test func `an unchanged pixel keeps its index`() {
        let first = Pictures.noise(32, 32, seed: 1)
        var second = Pictures.noise(32, 32, seed: 2)
        second[5, 9] = first[5, 9]
        let dithering = OrderedDithering(palette: palette)
        let place = 9 * 32 + 5
        #expect(
            dithering.indices(of: first, rows: 0..<32)[place] == dithering.indices(of: second, rows: 0..<32)[place])
    }

    @Test func `rows dithered separately equal rows dithered together`() {
        let picture = Pictures.slopes(31, 29)
        let dithering = OrderedDithering(palette: palette)
        let apart = dithering.indices(of: picture, rows: 0..<13) + dithering.indices(of: picture, rows: 13..<29)
        #expect(apart == dithering.indices(of: picture, rows: 0..<29))
    }

    @Test func `palette colours are not dithered`() {
        let white = PixelBuffer(size: PixelSize(width: 16, height: 16), filledWith: .white)
        #expect(OrderedDithering(palette: palette).indices(of: white, rows: 0..<16).allSatisfy { $0 == 1 })
    }
}
