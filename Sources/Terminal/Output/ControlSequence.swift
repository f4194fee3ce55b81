import BrowserCore
import Raster

/// One thing to tell a terminal, as the bytes that say it.
public struct ControlSequence: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(_ text: String) { bytes = Array(text.utf8) }

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// CSI: `ESC [` and what follows.
    static func control(_ text: String) -> ControlSequence { ControlSequence("\u{1B}[" + text) }
}

// MARK: The screen

extension ControlSequence {
    public static let enterAlternateScreen = control("?1049h")
    public static let leaveAlternateScreen = control("?1049l")
    public static let showCursor = control("?25h")
    public static let hideCursor = control("?25l")
    public static let saveCursor = ControlSequence("\u{1B}7")
    public static let restoreCursor = ControlSequence("\u{1B}8")
    public static let resetStyle = control("0m")
    /// Sets the style of empty cells: the theme's background, else the terminal's own.
    ///
    /// The background is the nearest of 256 colours.
    public static func blankStyle(on background: Color?) -> ControlSequence {
        background.map { blankStyle(number: Int(IndexedPalette.nearest(to: $0))) } ?? resetStyle
    }

    /// The same for a colour's number; a negative one is the terminal's own.
    static func blankStyle(number: Int) -> ControlSequence {
        switch number {
        case ..<0: resetStyle
        case ..<8: control("0m\u{1B}[\(40 + number)m")
        case ..<16: control("0m\u{1B}[\(92 + number)m")
        default: control("0m\u{1B}[48;5;\(number)m")
        }
    }

    /// From here the terminal collects changes and shows none of them (synchronized output).
    public static let beginUpdate = control("?2026h")
    /// From here it shows them.
    public static let endUpdate = control("?2026l")
    /// Ends a started control string or sequence without its effect (CAN).
    public static let cancel = ControlSequence(bytes: [0x18])
    /// Ends a control string (ST).
    public static let stringTerminator = ControlSequence("\u{1B}\\")

    /// Ends an upload of kitty's protocol that was cut: an empty last chunk, without which kitty takes whatever comes
    /// next for a part of it.
    static let endKittyUpload = ControlSequence("\u{1B}_Gq=2,m=0;\u{1B}\\")

    /// Takes away all pictures of kitty's protocol that are on the screen, which text does not erase.
    static let eraseKittyPictures = ControlSequence("\u{1B}_Ga=d,q=2,d=A\u{1B}\\")

    /// Moves the cursor to a cell.
    public static func move(to position: Position) -> ControlSequence {
        control("\(position.row + 1);\(position.column + 1)H")
    }

    /// Writes `count` spaces in the current style.
    static func spaces(_ count: Int) -> ControlSequence {
        ControlSequence(bytes: Array(repeating: UInt8(ascii: " "), count: max(0, count)))
    }
}

// MARK: Input modes

extension ControlSequence {
    public static let enableBracketedPaste = control("?2004h")
    public static let disableBracketedPaste = control("?2004l")
    public static let enableFocusReports = control("?1004h")
    public static let disableFocusReports = control("?1004l")
    /// Button presses, releases and drags, with SGR coordinates.
    public static let enableMouse = control("?1002h\u{1B}[?1006h")
    public static let disableMouse = control("?1006l\u{1B}[?1003l\u{1B}[?1002l\u{1B}[?1000l")
}

// MARK: The clipboard

extension ControlSequence {
    /// Puts a text on the clipboard of whoever sits before the terminal (OSC 52).
    public static func copy(_ text: String) -> ControlSequence {
        ControlSequence("\u{1B}]52;c;\(base64(Array(text.utf8)))\u{1B}\\")
    }

    /// By RFC 4648, section 4.
    private static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        return stride(from: 0, to: bytes.count, by: 3).reduce(into: "") { text, start in
            let group = bytes[start..<min(start + 3, bytes.count)]
            let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place > group.count ? "=" : alphabet[value >> (18 - 6 * place) & 63])
            }
        }
    }
}

// MARK: Questions

extension ControlSequence {
    /// Which features (DA1); every terminal answers.
    public static let askAttributes = control("c")
    /// Are you there (DSR 5); the answer acknowledges all that was sent before.
    public static let askStatus = control("5n")
    /// Which program (XTVERSION).
    public static let askVersion = control(">q")
    public static let askBackground = ControlSequence("\u{1B}]11;?\u{1B}\\")
    public static let askSynchronizedOutput = control("?2026$p")
    public static let askTextAreaPixels = control("14t")
    public static let askCellPixels = control("16t")
    public static let askColorRegisters = control("?1;1;0S")
    public static let askGraphicsGeometry = control("?2;1;0S")
    public static let askMaximumGraphicsGeometry = control("?2;4;0S")
    /// Whether the terminal has 24-bit colours: by name (XTGETTCAP `RGB`), and by reading back one that is set (DECRQSS).
    ///
    /// The style is the default one afterwards.
    public static let askDirectColor = ControlSequence(
        "\u{1B}P+q524742\u{1B}\\\u{1B}[48;2;1;2;3m\u{1B}P$qm\u{1B}\\\u{1B}[0m")
    public static let askKittyGraphics = ControlSequence("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\")
}

extension [ControlSequence] {
    /// All of them in one piece, to be written at once.
    public var bytes: [UInt8] { flatMap(\.bytes) }
}
