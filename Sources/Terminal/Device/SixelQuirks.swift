/// What single terminals do with sixel pictures beside drawing them; `docs/terminals.md` has the table.
public struct SixelQuirks: Equatable, Sendable {
    /// How many pictures a terminal keeps: 16 in xterm 379, which drops the oldest; others keep more.
    public static let keptPictures = 16

    /// Whether pixels stay when text is written over them, so that only clearing the screen takes them away.
    let keepsPixelsUnderText: Bool

    /// Takes the terminal's answer to XTVERSION.
    init(version: String) {
        keepsPixelsUnderText = version.hasPrefix("Konsole")
    }
}
