import Raster
import TestSupport
import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct PaletteTests {
    @Test func `colours are rounded to the grid and duplicates removed`() {
        let palette = Palette(colors: [Color(red: 1, green: 0, blue: 0), .black, .white])
        #expect(palette.colors == [.black, .white])
    }

    @Test func `a palette without colours is black`() {
        #expect(Palette(colors: []).colors == [.black])
    }

    @Test func `no more than 256 colors are kept`() {
        #expect(Palette(colors: Pictures.gridColors(300)).colors == Pictures.gridColors(256))
    }

    @Test func `the nearest color is found`() {
        let palette = Palette(colors: [.black, Color(red: 0, green: 0, blue: 255), .white])
        #expect(palette.index(nearestTo: Color(red: 30, green: 30, blue: 200)) == 1)
    }

    @Test func `meanDistance is the mean over the pixels`() {
        let palette = Palette(colors: [.black, .white])
        var picture = PixelBuffer(size: PixelSize(width: 2, height: 1), filledWith: .black)
        picture[1, 0] = Color(red: 51, green: 0, blue: 0)
        #expect(palette.meanDistance(to: picture) == 25.5)
        let clear = PixelBuffer(
            size: PixelSize(width: 9, height: 9), filledWith: Color(red: 51, green: 0, blue: 0, alpha: 0))
        #expect(palette.meanDistance(to: clear) == 0)
    }

    @Test func `spacing is the mean distance to the nearest other colour`() {
        let palette = Palette(colors: [.black, Color(red: 51, green: 0, blue: 0), Color(red: 153, green: 0, blue: 0)])
        #expect(palette.spacing == (51 + 51 + 102) / 3)
        #expect(Palette(colors: [.white]).spacing == 255)
    }
}
