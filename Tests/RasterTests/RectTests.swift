import Raster
import Testing

@Suite(.timeLimit(.minutes(1))) struct RectTests {
    private let pane = Rect(column: 10, row: 2, columns: 20, rows: 10)

    @Test func `a centred rectangle is clipped to its container`() {
        #expect(pane.centered(GridSize(columns: 4, rows: 4)) == Rect(column: 18, row: 5, columns: 4, rows: 4))
        #expect(pane.centered(GridSize(columns: 99, rows: 99)) == pane)
    }

    @Test(arguments: [
        (Rect(column: 29, row: 11, columns: 5, rows: 5), true),
        (Rect(column: 30, row: 2, columns: 5, rows: 5), false),
        (Rect(column: 0, row: 0, columns: 11, rows: 3), true),
        (Rect(column: 12, row: 3, columns: 0, rows: 3), false),
    ])
    func `intersects is true only for rectangles that share a cell`(other: Rect, expected: Bool) {
        #expect(pane.intersects(other) == expected)
        #expect(other.intersects(pane) == expected)
    }

    @Test func `a rectangle with a negative extent is empty`() {
        #expect(Rect(column: 0, row: 0, columns: -1, rows: 4).isEmpty)
    }
}
