import Raster

/// Draws text into a frame by cell width; nothing leaves the frame, and no control character enters it.
struct Canvas {
    private(set) var frame: Frame
    let glyphs: GlyphSet

    init(size: GridSize, glyphs: GlyphSet) {
        frame = Frame(size: size)
        self.glyphs = glyphs
    }

    /// Goes on with a frame that has been begun.
    init(_ frame: Frame, glyphs: GlyphSet) {
        self.frame = frame
        self.glyphs = glyphs
    }

    /// Writes what fits of `text` into `width` cells from a position; returns the column after it.
    @discardableResult
    mutating func write(_ text: String, _ column: Int, _ row: Int, width: Int, _ style: Style = .plain) -> Int {
        let end = min(frame.size.columns, column + max(0, width))
        guard row >= 0, row < frame.size.rows, column >= 0 else { return column }
        var next = column
        for piece in CellPiece.pieces(of: text) {
            guard next + piece.width <= end else { break }
            put(piece, next, row, style)
            next += piece.width
        }
        return next
    }

    /// Writes a styled line the same way.
    @discardableResult
    mutating func write(_ text: StyledText, _ column: Int, _ row: Int, width: Int) -> Int {
        let end = column + max(0, width)
        return text.spans.reduce(column) { next, span in
            write(span.text, next, row, width: end - next, span.style)
        }
    }

    /// Writes so that the text ends before the column `end`.
    mutating func write(_ text: StyledText, endingAt end: Int, _ row: Int, width: Int) {
        let taken = min(text.width, width)
        write(text, end - taken, row, width: taken)
    }

    /// Writes in the middle of a rectangle's row.
    mutating func write(_ text: StyledText, centeredIn rect: Rect, _ row: Int) {
        let taken = min(text.width, rect.columns)
        write(text, rect.column + (rect.columns - taken) / 2, row, width: taken)
    }

    /// Puts a row's part on the selection's ground; bars keep their own, and what was dim becomes readable.
    mutating func select(_ column: Int, _ row: Int, width: Int) {
        guard row >= 0, row < frame.size.rows else { return }
        let end = min(frame.size.columns, column + max(0, width))
        for next in stride(from: max(0, column), to: end, by: 1) {
            let old = frame[next, row].style
            guard old.background != .barTrack else { continue }
            frame[next, row].style = Style(
                old.foreground == .dim ? .text : old.foreground, background: .selection, bold: true)
        }
    }

    /// Blanks a rectangle, and takes away what lies over it.
    mutating func clear(_ rect: Rect) {
        for row in rect.row..<rect.row + rect.rows {
            write(String(repeating: " ", count: rect.columns), rect.column, row, width: rect.columns)
        }
        frame.pictures.removeAll { $0.rect.intersects(rect) }
        frame.placeholders.removeAll { $0.rect.intersects(rect) }
    }

    /// A horizontal line over the whole width.
    mutating func rule(row: Int) {
        write(String(repeating: glyphs.horizontal, count: frame.size.columns), 0, row, width: .max / 2, .divider)
    }

    mutating func place(_ picture: PicturePlacement) { frame.pictures.append(picture) }

    mutating func place(_ area: PlaceholderArea) { frame.placeholders.append(area) }

    /// Shows the text cursor, when the position is inside the frame.
    mutating func showCursor(_ column: Int, _ row: Int) {
        guard (0..<frame.size.columns).contains(column), (0..<frame.size.rows).contains(row) else { return }
        frame.cursor = Position(column: column, row: row)
    }

    private mutating func put(_ piece: CellPiece, _ column: Int, _ row: Int, _ style: Style) {
        clearHalf(column, row)
        if piece.width == 2 { clearHalf(column + 1, row) }
        let isDrawable = SafeText.isSafe(piece.character) && (!glyphs.isASCII || piece.character.isASCII)
        let character = isDrawable ? piece.character : (glyphs.isASCII ? "?" : "\u{FFFD}")
        frame[column, row] = Cell(character, style: style)
        guard piece.width == 2 else { return }
        frame[column + 1, row] = Cell(isDrawable ? nil : character, style: style)
    }

    /// A wide character that is about to lose one half loses the other too.
    private mutating func clearHalf(_ column: Int, _ row: Int) {
        if frame[column, row].character == nil, column > 0 { frame[column - 1, row].character = " " }
        let next = column + 1
        if next < frame.size.columns, frame[next, row].character == nil { frame[next, row].character = " " }
    }
}
