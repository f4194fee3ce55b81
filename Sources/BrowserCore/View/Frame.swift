import Raster

/// One finished screen as a value: a grid of styled cells and the pictures that lie over some of them.
public struct Frame: Equatable, Sendable {
    public let size: GridSize
    /// Row by row from the top left, `size.columns * size.rows` of them.
    public private(set) var cells: [Cell]
    /// Pictures to draw after the cells; their rectangles hold blank cells and never touch the last row.
    public var pictures: [PicturePlacement] = []
    /// Places that whoever runs the screen fills before the frame is shown.
    public var placeholders: [PlaceholderArea] = []
    /// Where the text cursor stands; nil hides it.
    public var cursor: Position?

    public init(size: GridSize) {
        self.size = size
        cells = Array(repeating: Cell.blank, count: size.columns * size.rows)
    }

    /// The cell at a position inside the frame.
    public subscript(column: Int, row: Int) -> Cell {
        get { cells[row * size.columns + column] }
        set { cells[row * size.columns + column] = newValue }
    }
}

/// A column and a row, both from 0.
public struct Position: Hashable, Sendable {
    public var column: Int
    public var row: Int

    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

extension Rect {
    func contains(_ place: Position) -> Bool {
        (column..<column + columns).contains(place.column) && (row..<row + rows).contains(place.row)
    }
}

/// One character cell.
public struct Cell: Equatable, Sendable {
    /// What the cell shows: one grapheme of width 1 or 2; the second cell of a wide one is `nil`.
    public var character: Character?
    public var style: Style

    public init(_ character: Character?, style: Style = .plain) {
        self.character = character
        self.style = style
    }

    public static let blank = Cell(" ")
}

/// How a cell looks: a theme token and attributes; the terminal layer turns tokens into colours.
public struct Style: Hashable, Sendable {
    public var foreground: ThemeToken
    public var background: ThemeToken?
    public var bold: Bool
    public var inverse: Bool

    public init(
        _ foreground: ThemeToken = .text, background: ThemeToken? = nil, bold: Bool = false, inverse: Bool = false
    ) {
        self.foreground = foreground
        self.background = background
        self.bold = bold
        self.inverse = inverse
    }

    public static let plain = Style()
}

/// The roles that a theme gives colours to.
public enum ThemeToken: String, Hashable, Sendable, CaseIterable {
    case text, dim, accent, selection, ok, warn, error, bar, barTrack, divider
    /// The ground of all that has no other; the terminal's own where the theme names none.
    case background
}

/// A picture in its place on the screen.
public struct PicturePlacement: Hashable, Sendable {
    /// The cells it covers, at most.
    public var rect: Rect
    /// Which decoded picture; its pixels are the runtime's.
    public var picture: PictureID
    /// How far the transition from what stood there before has come, in 64ths; 64 is the picture itself.
    public var transitionStep: Int
    /// For how many milliseconds a picture that moves has been playing.
    public var playTime: Int

    public static let finished = 64

    public init(rect: Rect, picture: PictureID, transitionStep: Int = PicturePlacement.finished, playTime: Int = 0) {
        self.rect = rect
        self.picture = picture
        self.transitionStep = transitionStep
        self.playTime = playTime
    }
}

/// Names a decoded picture that the runtime keeps.
public struct PictureID: Hashable, Sendable {
    public let rawValue: Int

    public init(_ rawValue: Int) { self.rawValue = rawValue }
}
