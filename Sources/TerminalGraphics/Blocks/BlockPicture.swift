import Raster

/// A picture made of block characters, for terminals that draw no pixels: up to two by three pixels in each cell.
public struct BlockPicture: Hashable, Sendable {
    /// Columns and rows of cells; none where there was nothing to draw.
    public let grid: GridSize
    /// `grid.columns * grid.rows` cells, row by row.
    public let cells: [BlockCell]
    /// What shows through transparent pixels, and stands behind characters where there is no colour.
    public let background: Color

    /// The most columns and the most rows; larger grids are cut down to it.
    public static let largestSide = 4096

    /// Scales `picture`, over `background`, to fill the grid; a picture or grid without area gives no cells.
    ///
    /// Each cell gets the character of `set`, quadrants by default, and the two colours whose squared differences to
    /// the picture are the least. Complexity: O(pixels + cells).
    public init(
        _ picture: PixelBuffer, grid: GridSize, set: BlockSet = .quadrant, background: Color = .black
    ) {
        let grid = GridSize(columns: min(grid.columns, Self.largestSide), rows: min(grid.rows, Self.largestSide))
        self.background = background
        let size = PixelSize(width: grid.columns * BlockFitting.columns, height: grid.rows * BlockFitting.rows)
        guard !size.isEmpty, !picture.size.isEmpty else {
            self.grid = GridSize(columns: 0, rows: 0)
            cells = []
            return
        }
        self.grid = grid
        let pixels = picture.boxScaled(to: size).flattened(over: background)
        let fitting = BlockFitting(set)
        let rowLength = size.width * BlockFitting.rows * 4
        cells = pixels.bytes.withUnsafeBufferPointer { bytes in
            (0..<grid.rows).flatMap { row in
                let lines = UnsafeBufferPointer(rebasing: bytes[row * rowLength..<(row + 1) * rowLength])
                return fitting.cells(lines, count: grid.columns)
            }
        }
    }

    /// The cell at a position inside the grid.
    public subscript(column: Int, row: Int) -> BlockCell { cells[row * grid.columns + column] }
}
