import Raster

/// One finished screen: a grid of styled cells and the pictures that cover some of them.
package struct Frame: Equatable, Sendable {
    package let size: GridSize
    /// `size.columns * size.rows` cells, row by row from the top left.
    package private(set) var cells: [Cell]
    /// Pictures to draw after the cells; their rectangles hold blank cells and never include the last row.
    package var pictures: [PicturePlacement] = []
    /// Areas that the runtime fills before the frame is shown.
    package var placeholders: [PlaceholderArea] = []
    /// The position of the text cursor; nil hides it.
    package var cursor: Position?

    package init(size: GridSize) {
        self.size = size
        cells = Array(repeating: Cell.blank, count: size.columns * size.rows)
    }

    /// The cell at a position inside the frame.
    package subscript(column: Int, row: Int) -> Cell {
        get { cells[row * size.columns + column] }
        set { cells[row * size.columns + column] = newValue }
    }
}

/// A column and a row, both from 0.
package struct Position: Hashable, Sendable {
    package var column: Int
    package var row: Int

    package init(column: Int, row: Int) { (self.column, self.row) = (column, row) }
}

extension Rect {
    package func contains(_ place: Position) -> Bool {
        (column..<column + columns).contains(place.column) && (row..<row + rows).contains(place.row)
    }
}

/// One character cell.
package struct Cell: Equatable, Sendable {
    /// One grapheme of width 1 or 2; `nil` in the second cell of a wide one.
    package var character: Character?
    package var style: Style

    package init(_ character: Character?, style: Style = .plain) { (self.character, self.style) = (character, style) }

    package static let blank = Cell(" ")
}

/// The appearance of a cell: theme tokens and attributes; the terminal layer turns tokens into colours.
package struct Style: Hashable, Sendable {
    package var foreground: ThemeToken
    package var background: ThemeToken?
    package var bold: Bool

    package init(_ foreground: ThemeToken = .text, background: ThemeToken? = nil, bold: Bool = false) {
        (self.foreground, self.background, self.bold) = (foreground, background, bold)
    }

    package static let plain = Style()
}

/// The roles to which a theme assigns colours.
package enum ThemeToken: String, Hashable, Sendable, CaseIterable {
    case text, dim, accent, selection, mark, ok, warn, error, bar, barTrack, divider
    /// The default background; the terminal's own if the theme has none.
    case background
}

/// A picture at its position on the screen.
package struct PicturePlacement: Hashable, Sendable {
    /// The cells that the picture covers at most.
    package var rect: Rect
    /// The decoded picture, whose pixels the runtime owns.
    package var picture: PictureID
    /// The number of the item whose picture it is, where several are shown; 0 elsewhere.
    package var item: Int
    /// The progress of the transition from the picture before, in 64ths; 64 is the picture itself.
    package var transitionStep: Int
    /// The elapsed play time of an animation in milliseconds.
    package var playTime: Int

    package static let finished = 64

    package init(
        rect: Rect, picture: PictureID, item: Int = 0, transitionStep: Int = PicturePlacement.finished,
        playTime: Int = 0
    ) {
        (self.rect, self.picture, self.item) = (rect, picture, item)
        (self.transitionStep, self.playTime) = (transitionStep, playTime)
    }
}

/// An area of a frame whose content the runtime draws: a configured placeholder or loading indicator.
package struct PlaceholderArea: Hashable, Sendable {
    package enum Role: Hashable, Sendable {
        /// In place of an item's picture.
        case placeholder(name: String, place: String)
        /// Milliseconds since the load began, received bytes, and total bytes if known.
        case indicator(elapsed: Int, received: Int, total: Int?)
    }

    package var rect: Rect
    package var role: Role

    package init(rect: Rect, role: Role) { (self.rect, self.role) = (rect, role) }
}

/// Identifies a decoded picture that the runtime holds.
package struct PictureID: Hashable, Sendable {
    package let rawValue: Int

    package init(_ rawValue: Int) { self.rawValue = rawValue }
}
