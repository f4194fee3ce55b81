import Raster
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools

@Suite(.timeLimit(.minutes(1))) struct ShowOptionsTests {
    @Test(arguments: [("800x600", 800, 600), ("1X100000", 1, 100_000)])
    func `a size is two numbers`(text: String, width: Int, height: Int) throws {
        let sides = try #require(ShowProgram.sides(text))
        #expect(sides == (width, height))
    }

    @Test(arguments: ["", "800", "800x", "x600", "0x5", "5x-1", "axb", "1x2x3", "100001x1", "8 x 6"])
    func `an invalid size is refused`(text: String) {
        #expect(ShowProgram.sides(text) == nil)
    }

    @Test func `the box follows from size, cells, or the screen without its last line`() {
        let cell = CellSize(width: 8, height: 16)
        let screen = GridSize(columns: 80, rows: 24)
        var program = ShowProgram()
        #expect(program.box(cell: cell, screen: nil) == nil)
        #expect(program.box(cell: cell, screen: screen) == PixelSize(width: 640, height: 368))
        program.cells = GridSize(columns: 10, rows: 5)
        #expect(program.box(cell: cell, screen: screen) == PixelSize(width: 80, height: 80))
        program.size = PixelSize(width: 7, height: 9)
        #expect(program.box(cell: cell, screen: screen) == PixelSize(width: 7, height: 9))
    }
}
