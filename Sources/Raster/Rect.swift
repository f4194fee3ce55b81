/// A rectangle of character cells; columns and rows count from 0 at the top left.
public struct Rect: Hashable, Sendable {
    /// The first column.
    public var column: Int
    /// The first row.
    public var row: Int
    /// The number of columns.
    public var columns: Int
    /// The number of rows.
    public var rows: Int

    /// Creates a rectangle; negative sizes become 0.
    public init(column: Int, row: Int, columns: Int, rows: Int) {
        self.column = column
        self.row = row
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }

    /// The number of columns and rows.
    public var size: GridSize { GridSize(columns: columns, rows: rows) }
    /// Whether the rectangle has no cells.
    public var isEmpty: Bool { columns == 0 || rows == 0 }

    /// Returns a rectangle of `size` in the middle of this one, clipped to it.
    package func centered(_ size: GridSize) -> Rect {
        let width = min(size.columns, columns)
        let height = min(size.rows, rows)
        return Rect(
            column: column + (columns - width) / 2, row: row + (rows - height) / 2, columns: width, rows: height)
    }

    /// Returns whether the two share a cell.
    package func intersects(_ other: Rect) -> Bool {
        !isEmpty && !other.isEmpty
            && column < other.column + other.columns && other.column < column + columns
            && row < other.row + other.rows && other.row < row + rows
    }
}
