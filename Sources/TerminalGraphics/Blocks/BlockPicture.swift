import Raster

/// A picture made of block characters, for terminals that draw no pixels: two by two pixels in each cell.
public struct BlockPicture: Hashable, Sendable {
    public let grid: GridSize
    /// `grid.columns * grid.rows` cells, row by row.
    public let cells: [BlockCell]
    /// What shows through transparent pixels, and stands behind characters where there is no colour.
    public let background: Color

    /// The most columns and the most rows; larger grids are cut down to it.
    public static let largestSide = 4096

    /// Scales `picture`, over `background`, to fill the grid; a picture or grid without area gives no cells.
    public init(_ picture: PixelBuffer, grid: GridSize, background: Color = .black) {
        let grid = GridSize(columns: min(grid.columns, Self.largestSide), rows: min(grid.rows, Self.largestSide))
        self.background = background
        let size = PixelSize(width: grid.columns * 2, height: grid.rows * 2)
        guard !size.isEmpty, !picture.size.isEmpty else {
            self.grid = GridSize(columns: 0, rows: 0)
            cells = []
            return
        }
        self.grid = grid
        let pixels = picture.boxScaled(to: size).flattened(over: background)
        cells = (0..<grid.rows).flatMap { row in
            (0..<grid.columns).map { column in
                let (x, y) = (column * 2, row * 2)
                return BlockCell(fitting: [pixels[x, y], pixels[x + 1, y], pixels[x, y + 1], pixels[x + 1, y + 1]])
            }
        }
    }

    /// The cell at a position inside the grid.
    public subscript(column: Int, row: Int) -> BlockCell { cells[row * grid.columns + column] }
}
