import BrowserCore
import Raster

/// A picture as the terminal gets it: encoded bytes and the cells they colour.
public struct TerminalPicture: Equatable, Sendable {
    /// Which picture this is; with `generation` and `rect` it decides whether the bytes must be sent again.
    public var picture: PictureID
    /// Differs with everything else that changes the bytes: a transition's step, the cell's size, the palette.
    public var generation: Int
    /// The cells that the pixels touch; must not reach into the last row.
    public var rect: Rect
    /// The pixels drawn; nil means that they fill `rect`.
    ///
    /// Cells that they fill only in part are cleared of older pixels first.
    public var pixels: PixelSize?
    /// What draws the picture once the cursor stands in the rectangle's first cell; may be dropped half written.
    public var bytes: [UInt8]
    /// What makes the picture go away where overwriting cells does not (kitty); empty otherwise.
    ///
    /// Equal for two pictures when they are the same to the terminal, in the same place.
    public var removal: [UInt8]
    /// How `bytes` are ended when they are cut: by CAN and ST, unless the protocol wants more.
    public var cut: PictureCut

    public init(
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

    /// Whether the other one puts the same pixels into the same place.
    func isSame(as other: TerminalPicture) -> Bool {
        picture == other.picture && generation == other.generation && rect == other.rect
    }

    /// What writes spaces over the cells that the pixels do not fill, which may still show older ones.
    ///
    /// - Parameters:
    ///   - origin: the screen's first cell on the terminal that gets the bytes.
    ///   - style: what sets the style of the spaces; theirs is what is seen beside the pixels.
    public func clearing(
        cell: CellSize, origin: Position = Position(column: 0, row: 0), style: ControlSequence = .resetStyle
    ) -> [UInt8] {
        Self.spaces(over: edges(cell: cell), origin, style)
    }

    /// What writes spaces over all of its cells.
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

    /// The last column and row, where the pixels do not fill them.
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
