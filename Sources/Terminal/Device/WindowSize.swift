import Raster

/// What the system says of the terminal's window: cells, and pixels where it knows them.
public struct WindowSize: Equatable, Sendable {
    /// At least 1×1, at most 1200×600.
    public var grid: GridSize
    /// The window in pixels, border included; zero when unknown.
    public var pixels: PixelSize

    /// Takes numbers as they come: none (0) becomes 80×24, too large ones are clamped.
    public init(columns: Int, rows: Int, pixelWidth: Int = 0, pixelHeight: Int = 0) {
        grid = GridSize(
            columns: min(columns > 0 ? columns : 80, 1200), rows: min(rows > 0 ? rows : 24, 600))
        pixels = PixelSize(width: pixelWidth, height: pixelHeight)
    }

    /// A cell's size by this window; nil when the pixels are unknown or make no sense.
    ///
    /// Terminals count their inner border into the pixels. Where a side does not divide, a border of 2 pixels a side
    /// (xterm's) is taken off, and what remains is rounded down.
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
