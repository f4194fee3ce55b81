import Raster

/// A terminal's answer to a question.
public enum TerminalReply: Equatable, Sendable {
    /// DA1: the features it has; 4 stands for sixel.
    case attributes([Int])
    /// DSR 5: all that was sent before has been read.
    case status
    /// XTSMGRAPHICS: 1 asks for colour registers, 2 for the sixel geometry; status 0 is success.
    case graphics(item: Int, status: Int, values: [Int])
    /// The text area in pixels (`CSI 4 t`).
    case textAreaPixels(PixelSize)
    /// One cell in pixels (`CSI 6 t`).
    case cellPixels(PixelSize)
    /// The text area in cells (`CSI 8 t`).
    case textAreaCells(GridSize)
    /// DECRPM: 0 unknown, 1 set, 2 reset, 3 always set, 4 always reset.
    case mode(Int, state: Int)
    /// OSC 10.
    case foreground(Color)
    /// OSC 11.
    case background(Color)
    /// Kitty graphics: the image's number and `OK` or an error.
    case kittyGraphics(id: Int, message: String)
    /// XTVERSION: the program and its version, printable ASCII only.
    case version(String)
    /// XTGETTCAP: a capability that the terminal has, its name in hexadecimal digits.
    case capability(String)
    /// DECRQSS `m`: the parameters of SGR that set the style in force.
    case rendition(String)
    /// Where the cursor stands, counted from 1.
    case cursorPosition(row: Int, column: Int)
}
