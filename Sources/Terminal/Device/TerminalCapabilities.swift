import AlcedoScreen
import Raster
import TerminalGraphics

/// The capabilities of a terminal and the decisions that follow from them.
package struct TerminalCapabilities: Equatable, Sendable {
    /// The terminal's name and version by its own report; empty if unknown.
    package var version = ""
    /// The entry of the terminal database that is used in place of that of `TERM`, which the database lacks; else nil.
    package var substituteEntry: String?
    package var sixel = false
    /// The colour registers of a sixel picture, 2 to 1024; 256 if the terminal does not report them.
    package var colorRegisters = 256
    /// The largest sixel picture in pixels; 1000×1000 if the terminal does not report it.
    package var maximumSixelSize = PixelSize(width: 1000, height: 1000)
    package var kitty = false
    package var iterm = false
    /// Whether the terminal supports synchronized output.
    package var synchronizedOutput = false
    package var cell = CellSize.fallback
    /// The source of the cell size, for users.
    package var cellSource = "assumed, as the terminal does not say"
    /// The terminal's background colour; nil if it does not report one.
    package var background: Color?
    /// The background colour of the theme; nil if the theme keeps the terminal's own.
    package var themeBackground: Color?
    package var colorDepth = ColorDepth.palette256
    /// Whether the terminal is the Linux console, which has few colours and block characters.
    package var isLinuxConsole = false
    /// Whether the console font has half blocks; most Debian fonts only have the full block and shades.
    package var consoleHasHalfBlocks = false
    package var multiplexer: Passthrough?
    /// Whether the multiplexer draws sixel pictures itself.
    package var multiplexerDrawsSixel = false
    /// The position on the outer terminal from which passed-through pictures count; 0, 0 without passthrough.
    package var pictureOrigin = Position(column: 0, row: 0)
    package var graphics = GraphicsDecision(method: .blocks, reason: "the terminal has not answered yet")
    /// Whether all expected replies arrived.
    package var isComplete = false

    package init() {}

    /// The colour that is visible behind text and pictures; nil if unknown.
    package var visibleBackground: Color? { themeBackground ?? background }

    /// Whether text may use 24-bit colours; GNU screen does not support them.
    var hasTrueColorText: Bool { colorDepth == .truecolor && multiplexer != .screen }

    /// The peculiarities of sixel pictures on the terminal, or in the multiplexer that draws them.
    package var sixelQuirks: SixelQuirks { SixelQuirks(version: version, isTmux: multiplexerDrawsSixel) }

    /// Whether pictures pass through a multiplexer that does not know about them.
    package var passesThrough: Bool {
        multiplexer != nil && !graphics.method.isText && !(graphics.method == .sixel && multiplexerDrawsSixel)
    }
}

/// The method to display pictures, and the reason for it.
package struct GraphicsDecision: Equatable, Sendable {
    package var method: GraphicsMethod
    /// A short explanation for users.
    package var reason: String
    /// Advice for getting pixels; nil if there is none.
    package var remedy: String?

    package init(method: GraphicsMethod, reason: String, remedy: String? = nil) {
        (self.method, self.reason, self.remedy) = (method, reason, remedy)
    }

    /// The setting of tmux that lets pictures through.
    static let passthrough = "`set -g allow-passthrough on` in ~/.tmux.conf lets pictures through"
}

/// The peculiarities of single terminals with sixel pictures; `docs/terminals.md` has the table.
package struct SixelQuirks: Equatable, Sendable {
    /// The number of pictures that the terminal keeps before it drops the oldest: 16 in xterm 379; others keep more.
    ///
    /// tmux 3.5 keeps 9 for all its windows together; one is left for other programs.
    package let keptPictures: Int
    /// Whether a picture counts as high as its whole bands of six pixel rows, so that its last band may reach into the
    /// cells below.
    package let countsWholeBands: Bool
    /// Whether pixels stay when text is written over them, so that only clearing the screen removes them.
    let keepsPixelsUnderText: Bool
    /// Whether pixels that a picture leaves out show the text below: in xterm 379 and foot 1.13, not in mlterm 3.9 and tmux.
    package let showsTextInHoles: Bool

    /// Determines the peculiarities of tmux, or of the terminal by its reply to XTVERSION.
    init(version: String, isTmux: Bool) {
        keptPictures = isTmux ? 8 : 16
        countsWholeBands = isTmux || version.hasPrefix("Konsole")
        keepsPixelsUnderText = version.hasPrefix("Konsole")
        showsTextInHoles = !isTmux && (version.hasPrefix("XTerm") || version.hasPrefix("foot"))
    }
}
