import Raster

/// The grid of thumbnails: cells of one size that fill an area.
struct GridLayout: Equatable {
    /// The usual size of a cell: picture, frame above, caption below, and a gap around it.
    private static let usual = GridSize(columns: 24, rows: 10)

    let area: Rect
    /// Cells per row, and visible rows; each at least 1.
    let columns: Int
    let rows: Int
    private let cellSize: GridSize

    /// Creates the cells of an area, in at most `mostRows` rows.
    ///
    /// - Parameter count: The number of pictures if it is known, so that few pictures become large.
    init(in area: Rect, mostRows: Int? = nil, count: Int? = nil) {
        self.area = area
        let most = GridSize(
            columns: Self.count(area.columns, by: Self.usual.columns),
            rows: min(Self.count(area.rows, by: Self.usual.rows), max(1, mostRows ?? .max)))
        let best = count.flatMap { Self.largestCells(for: $0, most, in: area) } ?? most
        (columns, rows) = (best.columns, best.rows)
        cellSize = GridSize(columns: area.columns / columns, rows: area.rows / rows)
    }

    /// Returns how many cells fit into a length, rounded to the nearest.
    private static func count(_ room: Int, by length: Int) -> Int { max(1, (room + length / 2) / length) }

    /// Returns the columns and rows with which a number of cells are largest; nil if there is no room for all.
    private static func largestCells(for count: Int, _ most: GridSize, in area: Rect) -> GridSize? {
        let choices = (1...most.rows).map { GridSize(columns: max(1, (count + $0 - 1) / $0), rows: $0) }
        // A cell of text is about twice as high as wide.
        return choices.filter { $0.columns <= most.columns }.max { one, other in
            min(area.columns / one.columns, 2 * area.rows / one.rows)
                < min(area.columns / other.columns, 2 * area.rows / other.rows)
        }
    }

    /// The number of visible thumbnails.
    var capacity: Int { columns * rows }

    /// Returns the area of a cell by its number on the screen.
    func cell(_ number: Int) -> Rect {
        let left = area.column + (area.columns - columns * cellSize.columns) / 2
        return Rect(
            column: left + number % columns * cellSize.columns, row: area.row + number / columns * cellSize.rows,
            columns: cellSize.columns, rows: cellSize.rows)
    }

    /// Returns the area for a cell's picture.
    func picture(_ number: Int) -> Rect {
        let cell = cell(number)
        return Rect(
            column: cell.column + 1, row: cell.row + 1, columns: max(0, cell.columns - 2), rows: max(0, cell.rows - 2))
    }

    /// Returns the cell at a position; nil outside of the cells.
    func number(at place: Position) -> Int? {
        (0..<capacity).first { cell($0).contains(place) }
    }

    /// Returns the first visible row of cells that shows the cursor and moves as little as possible.
    func top(_ old: Int, cursor: Int) -> Int { min(max(old, cursor / columns - rows + 1), cursor / columns) }
}
