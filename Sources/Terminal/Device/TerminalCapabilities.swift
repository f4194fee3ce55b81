import BrowserCore
import Raster

/// What is known of a terminal, and what follows from it.
public struct TerminalCapabilities: Equatable, Sendable {
    /// The program and its version as it names itself; empty when it does not.
    public var version = ""
    public var sixel = false
    /// The colour registers a sixel picture may use: 2 to 1024, 256 when the terminal does not say.
    public var colorRegisters = 256
    /// The largest sixel picture in pixels: 1000×1000 when the terminal does not say.
    public var maximumSixelSize = PixelSize(width: 1000, height: 1000)
    public var kitty = false
    public var iterm = false
    /// Whether frames may be bracketed so that they appear at once.
    public var synchronizedOutput = false
    public var cell = CellSize.fallback
    public var cellSource = CellSizeSource.fallback
    /// The background's colour; nil when the terminal does not say.
    public var background: Color?
    /// The background's colour that the theme paints; nil where the terminal's own stays.
    public var themeBackground: Color?
    public var colorDepth = TerminalColorDepth.indexed
    /// Whether it is the Linux console, which has few colours and block characters.
    public var isLinuxConsole = false
    /// Whether the console's font has half blocks; most of Debian's have only the full block and shades.
    public var consoleHasHalfBlocks = false
    public var multiplexer: TerminalEnvironment.Multiplexer?
    /// Whether the multiplexer draws sixel pictures itself, at the places we say.
    public var multiplexerDrawsSixel = false
    /// The cell of the outer terminal in which pictures that pass through a multiplexer count from; else 0, 0.
    public var pictureOrigin = Position(column: 0, row: 0)
    public var graphics = GraphicsDecision(method: .blocks, reason: "the terminal has not answered yet")
    /// Whether the terminal answered all questions it is going to answer.
    public var isComplete = false

    public init() {}

    /// What is seen behind text and pictures; nil when nobody says.
    public var ground: Color? { themeBackground ?? background }

    /// Whether text may have any colour of 24 bits; GNU screen does not pass them on.
    var hasTrueColorText: Bool { colorDepth == .truecolor && multiplexer != .screen }

    /// What is special about the sixel pictures of the terminal, or of the multiplexer that draws them.
    public var sixelQuirks: SixelQuirks { SixelQuirks(version: version, isTmux: multiplexerDrawsSixel) }

    /// Whether pictures pass through a multiplexer that knows nothing of them.
    public var passesThrough: Bool {
        switch graphics.method {
        case .blocks, .none: false
        case .sixel: multiplexer != nil && !multiplexerDrawsSixel
        case .kitty, .iterm: multiplexer != nil
        }
    }
}

/// Where a cell's size in pixels comes from, best first.
public enum CellSizeSource: String, Hashable, Sendable, CaseIterable {
    /// `CSI 16 t`.
    case cellReport
    /// `CSI ? 2 ; 1 ; 0 S`, the area sixel may use, divided by the cells.
    case graphicsGeometry
    /// The window's size by the system (`TIOCGWINSZ`).
    case window
    /// `CSI 14 t`, divided by the cells.
    case textAreaReport
    /// The user's setting.
    case setting
    /// 10×20.
    case fallback
}

/// How many colours text may have.
public enum TerminalColorDepth: String, Hashable, Sendable, CaseIterable {
    case monochrome, ansi, indexed, truecolor
}

/// The way pictures reach the screen.
public enum GraphicsMethod: String, Hashable, Sendable, CaseIterable {
    case kitty, sixel, iterm, blocks, none
}

/// The way pictures reach the screen, and why this one.
public struct GraphicsDecision: Equatable, Sendable {
    public var method: GraphicsMethod
    /// A few words for people.
    public var reason: String

    public init(method: GraphicsMethod, reason: String) {
        self.method = method
        self.reason = reason
    }
}
