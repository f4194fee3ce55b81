/// The size of a character cell in pixels, at least 1×1.
public struct CellSize: Hashable, Sendable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates a size; sides below 1 become 1.
    public init(width: Int, height: Int) {
        (self.width, self.height) = (max(1, width), max(1, height))
    }

    /// The assumed size for terminals that do not report it: 10×20, the VT340's cell.
    public static let fallback = CellSize(width: 10, height: 20)

    /// Returns the pixels that `rect` covers.
    public func pixels(of rect: Rect) -> PixelSize {
        PixelSize(width: rect.columns * width, height: rect.rows * height)
    }

    /// Returns the fewest cells that cover `size`.
    public func cells(covering size: PixelSize) -> GridSize {
        GridSize(columns: (size.width + width - 1) / width, rows: (size.height + height - 1) / height)
    }
}

/// A size in columns and rows of character cells, both at least 0.
public struct GridSize: Hashable, Sendable {
    /// The number of columns.
    public var columns: Int
    /// The number of rows.
    public var rows: Int

    /// Creates a size; negative numbers become 0.
    public init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (max(0, columns), max(0, rows))
    }
}
