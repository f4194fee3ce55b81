import Raster

/// Where the thumbnails stand: cells of one size that fill the room.
struct GridLayout: Equatable {
    /// About how large a cell is: its picture, with its frame's top above, its caption below and a gap around it.
    private static let usual = GridSize(columns: 24, rows: 10)

    let area: Rect
    /// Cells in a row, and rows of them on the screen; each at least 1.
    let columns: Int
    let rows: Int
    private let cellSize: GridSize

    /// Creates the cells of an area, in at most `mostRows` rows.
    init(in area: Rect, mostRows: Int? = nil) {
        self.area = area
        columns = Self.count(area.columns, by: Self.usual.columns)
        rows = min(Self.count(area.rows, by: Self.usual.rows), max(1, mostRows ?? .max))
        cellSize = GridSize(columns: area.columns / columns, rows: area.rows / rows)
    }

    /// How often a length goes into a room, to the nearest.
    private static func count(_ room: Int, by length: Int) -> Int { max(1, (room + length / 2) / length) }

    /// How many thumbnails are on the screen.
    var capacity: Int { columns * rows }

    /// The place of a cell, by its number on the screen.
    func cell(_ number: Int) -> Rect {
        let left = area.column + (area.columns - columns * cellSize.columns) / 2
        return Rect(
            column: left + number % columns * cellSize.columns, row: area.row + number / columns * cellSize.rows,
            columns: cellSize.columns, rows: cellSize.rows)
    }

    /// Where a cell's picture may stand.
    func picture(_ number: Int) -> Rect {
        let cell = cell(number)
        return Rect(
            column: cell.column + 1, row: cell.row + 1, columns: max(0, cell.columns - 2), rows: max(0, cell.rows - 2))
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
