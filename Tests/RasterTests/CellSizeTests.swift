import Raster
import Testing

@Suite(.timeLimit(.minutes(1))) struct CellSizeTests {
    private let cell = CellSize(width: 8, height: 17)

    @Test func `the cells cover every pixel`() {
        #expect(cell.cells(covering: PixelSize(width: 16, height: 17)) == GridSize(columns: 2, rows: 1))
        #expect(cell.cells(covering: PixelSize(width: 17, height: 18)) == GridSize(columns: 3, rows: 2))
    }

    @Test func `the pixels of a rectangle are its cells times the cell size`() {
        #expect(
            cell.pixels(of: Rect(column: 3, row: 3, columns: 10, rows: 2)) == PixelSize(width: 80, height: 34))
    }

    @Test func `a cell is at least one pixel`() {
        #expect(CellSize(width: 0, height: -3) == CellSize(width: 1, height: 1))
    }
}
