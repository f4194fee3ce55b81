import Raster

/// A picture made of block characters, for terminals that draw no pixels.
public struct BlockPicture: Hashable, Sendable {
    /// Columns and rows of cells; none where there was nothing to draw.
    public let grid: GridSize
    /// `grid.columns * grid.rows` cells, row by row.
    public let cells: [BlockCell]
    /// How many colours there are.
    let depth: ColorDepth
    /// What shows through transparent pixels, and stands behind characters where there is no colour.
    public let background: Color

    /// The most columns and the most rows; larger grids are cut down to it.
    public static let largestSide = 4096

    /// Fills the grid with `picture`, over `background`; a picture or grid without area gives no cells.
    ///
    /// Each cell gets the character of `set`, quadrants by default, and the two colours whose squared differences to
    /// the picture are the least: in sRGB where `depth`, by default truecolor, has all colours; in Oklab where it has
    /// few, and there dots of two colours stand for those between. Equal pixels give equal cells, so that animations
    /// are steady. Complexity: O(pixels + cells).
    public init(
        _ picture: PixelBuffer, grid: GridSize, set: BlockSet = .quadrant, depth: ColorDepth = .truecolor,
        background: Color = .black
    ) {
        let grid = GridSize(columns: min(grid.columns, Self.largestSide), rows: min(grid.rows, Self.largestSide))
        self.background = background
        self.depth = depth
        guard grid.columns > 0, grid.rows > 0, !picture.size.isEmpty else {
            self.grid = GridSize(columns: 0, rows: 0)
            cells = []
            return
        }
        self.grid = grid
        let size = PixelSize(
            width: Self.length(picture.size.width, cells: grid.columns, enlarged: 8),
            height: Self.length(picture.size.height, cells: grid.rows, enlarged: 24))
        let fitting = BlockFitting(
            picture.boxScaled(to: size).flattened(over: background), grid: grid, set: depth == .none ? .ascii : set,
            palette: BlockPalette.of(depth))
        cells = (0..<grid.rows).flatMap(fitting.cells)
    }

    /// The length that a side of the picture is scaled to: its own, if it has 8 to 64 pixels for each cell.
    ///
    /// With fewer, the eighths of a cell would be empty; `enlarged` is how many pixels a cell gets then.
    private static func length(_ length: Int, cells: Int, enlarged: Int) -> Int {
        length < cells * 8 ? cells * enlarged : min(length, cells * 64)
    }

    /// The cell at a position inside the grid.
    public subscript(column: Int, row: Int) -> BlockCell { cells[row * grid.columns + column] }
}
