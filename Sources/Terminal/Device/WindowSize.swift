import Raster

/// The window size reported by the system, in cells and, if known, in pixels.
struct WindowSize: Equatable, Sendable {
    /// The size in cells, from 1×1 to 1200×600.
    var grid: GridSize
    /// The size in pixels including the inner border; zero if unknown.
    var pixels: PixelSize

    /// Clamps the values; 0 columns or rows become 80×24.
    init(columns: Int, rows: Int, pixelWidth: Int = 0, pixelHeight: Int = 0) {
        grid = GridSize(
            columns: min(columns > 0 ? columns : 80, 1200), rows: min(rows > 0 ? rows : 24, 600))
        pixels = PixelSize(width: pixelWidth, height: pixelHeight)
    }

    /// The cell size derived from the window; nil if the pixel size is unknown or implausible.
    ///
    /// Terminals include their inner border in the pixel size. If a side is not a multiple of the cells, a border of 2
    /// pixels on each edge (xterm's) is subtracted and the quotient is rounded down.
    var cell: CellSize? {
        guard pixels.width <= 24576, pixels.height <= 24576, pixels.width >= 2 * grid.columns,
            pixels.height >= 4 * grid.rows
        else { return nil }
        return CellSize(
            width: Self.share(pixels.width, among: grid.columns), height: Self.share(pixels.height, among: grid.rows))
    }

    private static func share(_ side: Int, among cells: Int) -> Int {
        (side.isMultiple(of: cells) ? side : max(cells, side - 4)) / cells
    }
}
