import Raster
import Testing

@testable import AlcedoTerminal

@Suite(.timeLimit(.minutes(1)))
struct WindowSizeTests {
    @Test
    func `an unknown size is 80×24 without pixels`() {
        let window = WindowSize(columns: 0, rows: 0)
        #expect(window.grid == GridSize(columns: 80, rows: 24))
        #expect(window.cell == nil)
    }

    @Test
    func `extreme sizes are clamped`() {
        let window = WindowSize(columns: 65535, rows: 65535, pixelWidth: 65535, pixelHeight: 65535)
        #expect(window.grid == GridSize(columns: 1200, rows: 600))
        #expect(window.cell == nil)
    }

    @Test
    func `xterm's border of two pixels a side does not enlarge the cell`() {
        #expect(WindowSize(columns: 2, rows: 2, pixelWidth: 21, pixelHeight: 39).cell == CellSize(width: 8, height: 17))
        #expect(
            WindowSize(columns: 80, rows: 24, pixelWidth: 800, pixelHeight: 480).cell
                == CellSize(width: 10, height: 20))
    }

    @Test
    func `too few pixels for a font are ignored`() {
        #expect(WindowSize(columns: 80, rows: 24, pixelWidth: 80, pixelHeight: 480).cell == nil)
    }
}
