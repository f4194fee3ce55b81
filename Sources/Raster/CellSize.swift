/// The size of one character cell of a terminal, in pixels, both sides at least 1.
public struct CellSize: Hashable, Sendable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = max(1, width)
        self.height = max(1, height)
    }

    /// What is assumed when a terminal tells nothing: 10×20, the VT340's cell.
    public static let fallback = CellSize(width: 10, height: 20)

    /// The pixels that `rect` covers.
    public func pixels(of rect: Rect) -> PixelSize {
        PixelSize(width: rect.columns * width, height: rect.rows * height)
    }

    /// The fewest cells that cover `size`.
    public func cells(covering size: PixelSize) -> GridSize {
        GridSize(columns: (size.width + width - 1) / width, rows: (size.height + height - 1) / height)
    }
}
