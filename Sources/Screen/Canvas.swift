import Raster

/// Draws text into a frame by cell width; nothing is drawn outside the frame, and no control character enters it.
package struct Canvas {
    /// The way in which text is shortened to the width of its field.
    package enum Truncation {
        /// Drops the end without a sign.
        case clip
        /// Replaces the end with an ellipsis.
        case end
        /// Replaces the middle with an ellipsis.
        case middle
    }

    package private(set) var frame: Frame
    package let glyphs: GlyphSet

    package init(size: GridSize, glyphs: GlyphSet) { self.init(Frame(size: size), glyphs: glyphs) }

    /// Creates a canvas that continues drawing on a frame.
    package init(_ frame: Frame, glyphs: GlyphSet) { (self.frame, self.glyphs) = (frame, glyphs) }

    /// Writes text into a field of `width` cells.
    ///
    /// - Returns: the column after the text.
    @discardableResult
    package mutating func write(
        _ text: String, _ column: Int, _ row: Int, width: Int, _ style: Style = .plain, cut: Truncation = .clip
    ) -> Int {
        let end = min(frame.size.columns, column + max(0, width))
        guard row >= 0, row < frame.size.rows, column >= 0 else { return column }
        let fitted =
            switch cut {
            case .clip: text
            case .end: Fitting.truncate(text, to: width, ellipsis: glyphs.ellipsis)
            case .middle: Fitting.truncateMiddle(text, to: width, ellipsis: glyphs.ellipsis)
            }
        var next = column
        for piece in CellPiece.pieces(of: fitted) {
            guard next + piece.width <= end else { break }
            put(piece, next, row, style)
            next += piece.width
        }
        return next
    }

    /// Writes a styled line into a field of `width` cells.
    ///
    /// - Returns: the column after the text.
    @discardableResult
    package mutating func write(_ text: StyledText, _ column: Int, _ row: Int, width: Int) -> Int {
        let end = column + max(0, width)
        return text.spans.reduce(column) { next, span in
            write(span.text, next, row, width: end - next, span.style)
        }
    }

    /// Writes text that ends before the column `end`.
    package mutating func write(_ text: StyledText, endingAt end: Int, _ row: Int, width: Int) {
        let used = min(text.width, width)
        write(text, end - used, row, width: used)
    }

    /// Writes text centered in a row of a rectangle.
    package mutating func write(_ text: StyledText, centeredIn rect: Rect, _ row: Int) {
        let used = min(text.width, rect.columns)
        write(text, rect.column + (rect.columns - used) / 2, row, width: used)
    }

    /// Writes lines centered in a rectangle; lines below its last row are dropped.
    package mutating func write(_ lines: [StyledText], centeredIn rect: Rect) {
        let shown = lines.prefix(rect.rows)
        let top = rect.row + (rect.rows - shown.count) / 2
        for (offset, line) in shown.enumerated() { write(line, centeredIn: rect, top + offset) }
    }

    /// Gives part of a row the selection's background; dim text becomes readable.
    package mutating func select(_ column: Int, _ row: Int, width: Int) {
        guard row >= 0, row < frame.size.rows else { return }
        let end = min(frame.size.columns, column + max(0, width))
        for next in stride(from: max(0, column), to: end, by: 1) {
            let old = frame[next, row].style
            frame[next, row].style = Style(
                old.foreground == .dim ? .text : old.foreground, background: .selection, bold: true)
        }
    }

    /// Gives part of a row the background of marked items, but for cells that have one already.
    package mutating func tint(_ column: Int, _ row: Int, width: Int) {
        guard row >= 0, row < frame.size.rows else { return }
        for next in stride(from: max(0, column), to: min(frame.size.columns, column + max(0, width)), by: 1)
        where frame[next, row].style.background == nil {
            frame[next, row].style.background = .mark
        }
    }

    /// Draws a frame along the inner edge of a rectangle; its sides begin at row `sidesFrom`, by default at the corners.
    package mutating func box(_ rect: Rect, _ style: Style = .divider, sidesFrom first: Int = 0) {
        guard rect.columns > 1, rect.rows > 1 else { return }
        let (last, bottom) = (rect.column + rect.columns - 1, rect.row + rect.rows - 1)
        let line = String(repeating: glyphs.horizontal, count: rect.columns - 2)
        let corners = glyphs.corners
        write(corners[0] + line + corners[1], rect.column, rect.row, width: rect.columns, style)
        write(corners[2] + line + corners[3], rect.column, bottom, width: rect.columns, style)
        for row in max(first, rect.row + 1)..<max(first, rect.row + 1, bottom) {
            write(glyphs.vertical, rect.column, row, width: 1, style)
            write(glyphs.vertical, last, row, width: 1, style)
        }
    }

    /// Marks a row as the selected one: a sign in its first column, the selection's background in the others.
    package mutating func drawCursor(_ column: Int, _ row: Int, width: Int) {
        select(column + 1, row, width: width - 1)
        write(glyphs.selected, column, row, width: 1, .accent)
    }

    /// Blanks a rectangle and removes the pictures and placeholders that touch it.
    package mutating func clear(_ rect: Rect) {
        for row in rect.row..<rect.row + rect.rows {
            write(String(repeating: " ", count: rect.columns), rect.column, row, width: rect.columns)
        }
        frame.pictures.removeAll { $0.rect.intersects(rect) }
        frame.placeholders.removeAll { $0.rect.intersects(rect) }
    }

    /// Draws a horizontal line in the first row of a rectangle.
    package mutating func rule(_ rect: Rect) {
        let line = String(repeating: glyphs.horizontal, count: max(0, rect.columns))
        write(line, rect.column, rect.row, width: rect.columns, .divider)
    }

    /// Draws a horizontal line over the whole width.
    package mutating func rule(row: Int) { rule(Rect(column: 0, row: row, columns: frame.size.columns, rows: 1)) }

    package mutating func place(_ picture: PicturePlacement) { frame.pictures.append(picture) }

    package mutating func place(_ area: PlaceholderArea) { frame.placeholders.append(area) }

    /// Shows the text cursor if the position is inside the frame.
    package mutating func showCursor(_ column: Int, _ row: Int) {
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

    /// Clears the other half of a wide character whose cell at this position is about to be overwritten.
    private mutating func clearHalf(_ column: Int, _ row: Int) {
        if frame[column, row].character == nil, column > 0 { frame[column - 1, row].character = " " }
        let next = column + 1
        if next < frame.size.columns, frame[next, row].character == nil { frame[next, row].character = " " }
    }
}

extension Frame {
    /// Writes lines centered in a rectangle in the accent colour; truncates long lines and replaces unsafe characters.
    package mutating func write(_ lines: [String], centeredIn rect: Rect, isASCII: Bool) {
        var canvas = Canvas(self, glyphs: .set(isASCII: isASCII))
        let ellipsis = canvas.glyphs.ellipsis
        let shown = lines.map { StyledText(Fitting.truncate($0, to: rect.columns, ellipsis: ellipsis), .accent) }
        canvas.write(shown, centeredIn: rect)
        self = canvas.frame
    }
}
