import AlcedoScreen
import FoundationEssentials
import Raster

/// The bytes of a control sequence.
package struct ControlSequence: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(_ text: String) { bytes = Array(text.utf8) }

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Creates a sequence from CSI (`ESC [`) and `text`.
    static func control(_ text: String) -> ControlSequence { ControlSequence("\u{1B}[" + text) }
}

// MARK: The screen

extension ControlSequence {
    static let enterAlternateScreen = control("?1049h")
    static let leaveAlternateScreen = control("?1049l")
    static let showCursor = control("?25h")
    static let hideCursor = control("?25l")
    static let saveCursor = ControlSequence("\u{1B}7")
    static let restoreCursor = ControlSequence("\u{1B}8")
    package static let resetStyle = control("0m")
    /// Returns the sequence that sets the style of empty cells.
    ///
    /// - Parameter background: the theme's background, shown as the nearest of 256 colours; nil means the terminal's own.
    package static func blankStyle(on background: Color?) -> ControlSequence {
        background.map { blankStyle(number: Int(XtermPalette.number(nearestTo: $0))) } ?? resetStyle
    }

    /// Returns the style of empty cells for a palette number; a negative one means the terminal's own background.
    static func blankStyle(number: Int) -> ControlSequence {
        switch number {
        case ..<0: resetStyle
        case ..<8: control("0m\u{1B}[\(40 + number)m")
        case ..<16: control("0m\u{1B}[\(92 + number)m")
        default: control("0m\u{1B}[48;5;\(number)m")
        }
    }

    /// Begins synchronized output: the terminal shows no changes until `endUpdate`.
    static let beginUpdate = control("?2026h")
    /// Ends synchronized output.
    static let endUpdate = control("?2026l")
    /// Aborts an unfinished control sequence or control string (CAN).
    static let cancel = ControlSequence(bytes: [0x18])
    /// Terminates a control string (ST).
    static let stringTerminator = ControlSequence("\u{1B}\\")

    /// Ends a cut kitty upload with an empty last chunk; otherwise kitty takes the next command for a part of it.
    static let endKittyUpload = ControlSequence("\u{1B}_Gq=2,m=0;\u{1B}\\")

    /// Removes all kitty pictures from the screen, which text does not erase.
    static let eraseKittyPictures = ControlSequence("\u{1B}_Ga=d,q=2,d=A\u{1B}\\")

    /// Moves the cursor to a cell.
    static func move(to position: Position) -> ControlSequence {
        control("\(position.row + 1);\(position.column + 1)H")
    }

    /// Writes spaces in the current style.
    static func spaces(_ count: Int) -> ControlSequence {
        ControlSequence(bytes: Array(repeating: UInt8(ascii: " "), count: max(0, count)))
    }
}

// MARK: Input modes

extension ControlSequence {
    static let enableBracketedPaste = control("?2004h")
    static let disableBracketedPaste = control("?2004l")
    static let enableFocusReports = control("?1004h")
    static let disableFocusReports = control("?1004l")
    /// Enables reports of button presses, releases and drags, with SGR coordinates.
    static let enableMouse = control("?1002h\u{1B}[?1006h")
    static let disableMouse = control("?1006l\u{1B}[?1003l\u{1B}[?1002l\u{1B}[?1000l")
}

// MARK: The clipboard

extension ControlSequence {
    /// Copies a text to the clipboard of the terminal's user (OSC 52).
    static func copy(_ text: String) -> ControlSequence {
        ControlSequence("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{1B}\\")
    }
}

// MARK: Queries

extension ControlSequence {
    /// Queries the supported features (DA1); every terminal replies.
    static let queryAttributes = control("c")
    /// Queries the status (DSR 5); the reply acknowledges everything sent before.
    static let queryStatus = control("5n")
    /// Queries the terminal's name and version (XTVERSION).
    static let queryVersion = control(">q")
    static let queryBackground = ControlSequence("\u{1B}]11;?\u{1B}\\")
    static let querySynchronizedOutput = control("?2026$p")
    static let queryTextAreaPixels = control("14t")
    static let queryCellPixels = control("16t")
    static let queryColorRegisters = control("?1;1;0S")
    static let queryGraphicsGeometry = control("?2;1;0S")
    static let queryMaximumGraphicsGeometry = control("?2;4;0S")
    /// Queries support of 24-bit colours: by name (XTGETTCAP `RGB`), and by setting one and reading it back (DECRQSS).
    ///
    /// Resets the style.
    static let queryDirectColor = ControlSequence(
        "\u{1B}P+q524742\u{1B}\\\u{1B}[48;2;1;2;3m\u{1B}P$qm\u{1B}\\\u{1B}[0m")
    static let queryKittyGraphics = ControlSequence("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\")
}

extension [ControlSequence] {
    /// The concatenated bytes.
    var bytes: [UInt8] { flatMap(\.bytes) }
}

/// The sequences that are sent when the screen is acquired and released.
enum TerminalModes {
    /// Returns the bytes that take over the screen.
    static func enter(mouse: Bool) -> [UInt8] {
        var sequences: [ControlSequence] = [
            .enterAlternateScreen, .hideCursor, .resetStyle, .enableBracketedPaste, .enableFocusReports,
        ]
        if mouse { sequences.append(.enableMouse) }
        return sequences.bytes
    }

    /// Returns the bytes that restore the screen when no sequence is half written.
    ///
    /// - Parameter erasesPictures: true for terminals that support kitty graphics or ignore unknown sequences.
    static func exit(erasesPictures: Bool) -> [UInt8] {
        let modes: [ControlSequence] = [
            .disableMouse, .disableBracketedPaste, .disableFocusReports, .resetStyle, .showCursor,
            .leaveAlternateScreen,
        ]
        return ((erasesPictures ? [.eraseKittyPictures] : []) + modes).bytes
    }

    /// Returns the bytes, fewer than 256, with which the crash guard restores the screen at any moment.
    static func emergencyExit(erasesPictures: Bool) -> [UInt8] {
        let upload: [ControlSequence] = erasesPictures ? [.endKittyUpload] : []
        return PictureCut.cancellation + (upload + [.endUpdate]).bytes + exit(erasesPictures: erasesPictures)
    }
}
