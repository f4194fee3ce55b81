import BrowserCore
import Raster

/// An encoded picture and the cells that it covers.
package struct TerminalPicture: Equatable, Sendable {
    /// The picture's identity; with `generation` and `rect` it decides whether the bytes must be sent again.
    package var picture: PictureID
    /// Distinguishes versions of the bytes: a transition's step, the cell size, the palette.
    package var generation: Int
    /// The cells that the pixels touch, above the last row.
    package var rect: Rect
    /// The size in pixels; nil if the picture fills `rect`.
    ///
    /// Partly filled cells are cleared of older pixels first.
    package var pixels: PixelSize?
    /// The bytes that draw the picture at the cursor, in the first cell of `rect`; they may be cut.
    package var bytes: [UInt8]
    /// The bytes that remove the picture where overwriting its cells does not (kitty); empty otherwise.
    ///
    /// They are equal for two pictures if these are the same image at the same place for the terminal.
    package var removal: [UInt8]
    /// The way to end `bytes` when they are cut.
    package var cut: PictureCut

    package init(
        picture: PictureID, generation: Int = 0, rect: Rect, pixels: PixelSize? = nil, bytes: [UInt8],
        removal: [UInt8] = [], cut: PictureCut = .cancel()
    ) {
        self.picture = picture
        self.generation = generation
        self.rect = rect
        self.pixels = pixels
        self.bytes = bytes
        self.removal = removal
        self.cut = cut
    }

    /// Returns whether the other picture has the same pixels at the same place.
    func isSame(as other: TerminalPicture) -> Bool {
        picture == other.picture && generation == other.generation && rect == other.rect
    }

    /// Returns the bytes that write spaces over partly filled cells, which may show older pixels.
    ///
    /// - Parameters:
    ///   - origin: the position of the screen's first cell on the terminal that receives the bytes.
    ///   - style: sets the style of the spaces, which is visible beside the pixels.
    package func clearing(
        cell: CellSize, origin: Position = Position(column: 0, row: 0), style: ControlSequence = .resetStyle
    ) -> [UInt8] {
        Self.spaces(over: edges(cell: cell), origin, style)
    }

    /// Returns the bytes that write spaces over all cells of the picture.
    func blanking(style: ControlSequence) -> [UInt8] {
        Self.spaces(over: [rect], Position(column: 0, row: 0), style)
    }

    private static func spaces(over rects: [Rect], _ origin: Position, _ style: ControlSequence) -> [UInt8] {
        let rows = rects.flatMap { edge in
            (0..<edge.rows).map { row in
                (Position(column: origin.column + edge.column, row: origin.row + edge.row + row), edge.columns)
            }
        }
        guard !rows.isEmpty else { return [] }
        return style.bytes
            + rows.flatMap { [ControlSequence.move(to: $0), .spaces($1)].bytes }
    }

    /// The last column and row, if the pixels do not fill them.
    private func edges(cell: CellSize) -> [Rect] {
        guard let pixels else { return [] }
        let whole = GridSize(columns: pixels.width / cell.width, rows: pixels.height / cell.height)
        var edges: [Rect] = []
        if whole.columns < rect.columns {
            edges.append(
                Rect(
                    column: rect.column + whole.columns, row: rect.row, columns: rect.columns - whole.columns,
                    rows: rect.rows))
        }
        if whole.rows < rect.rows {
            edges.append(
                Rect(
                    column: rect.column, row: rect.row + whole.rows, columns: rect.columns,
                    rows: rect.rows - whole.rows))
        }
        return edges
    }
}
