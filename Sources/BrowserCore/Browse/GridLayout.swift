import Raster

/// Where the thumbnails stand: cells of one size, as many beside and above each other as there is room for.
struct GridLayout: Equatable {
    /// A cell with its gap, in columns, and its frame's top, its picture and its caption, in rows.
    static let columnsPerCell = 24
    static let pictureRows = 8
    static let rowsPerCell = pictureRows + 2

    let area: Rect
    /// Cells in a row, and rows of them on the screen; each at least 1.
    let columns: Int
    let rows: Int

    init(in area: Rect) {
        self.area = area
        columns = max(1, area.columns / Self.columnsPerCell)
        rows = max(1, area.rows / Self.rowsPerCell)
    }

    /// How many thumbnails are on the screen.
    var capacity: Int { columns * rows }

    /// The place of a cell, by its number on the screen, as far as it is inside the area.
    func cell(_ number: Int) -> Rect {
        let left = area.column + (area.columns - min(area.columns, columns * Self.columnsPerCell)) / 2
        let (row, column) = (number / columns * Self.rowsPerCell, number % columns * Self.columnsPerCell)
        return Rect(
            column: left + column, row: area.row + row, columns: min(Self.columnsPerCell, area.columns),
            rows: min(Self.rowsPerCell, max(0, area.rows - row)))
    }

    /// Where a cell's picture may stand.
    func picture(_ number: Int) -> Rect {
        let cell = cell(number)
        return Rect(
            column: cell.column + 1, row: cell.row + 1, columns: max(0, cell.columns - 2),
            rows: min(Self.pictureRows, max(0, cell.rows - 2)))
    }

    /// The cell at a place; nil beside them.
    func number(at place: Position) -> Int? {
        (0..<capacity).first { number in
            let cell = cell(number)
            return (cell.column..<cell.column + cell.columns).contains(place.column)
                && (cell.row..<cell.row + cell.rows).contains(place.row)
        }
    }

    /// The first row of cells to show, so that the cursor's is among them and as little moves as can be.
    func top(_ old: Int, cursor: Int) -> Int { min(max(old, cursor / columns - rows + 1), cursor / columns) }
}
