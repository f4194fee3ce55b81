/// What single terminals do with sixel pictures beside drawing them; `docs/terminals.md` has the table.
public struct SixelQuirks: Equatable, Sendable {
    /// How many pictures the terminal keeps before it drops the oldest: 16 in xterm 379; others keep more.
    ///
    /// tmux 3.5 keeps 9 for all its windows together; one is left for others.
    public let keptPictures: Int
    /// Whether a picture counts as high as its whole bands of six pixel rows, so that its last band may reach into the
    /// cells below.
    public let countsWholeBands: Bool
    /// Whether pixels stay when text is written over them, so that only clearing the screen takes them away.
    let keepsPixelsUnderText: Bool

    /// Takes what draws the pictures: tmux, or the terminal by its answer to XTVERSION.
    init(version: String, isTmux: Bool) {
        keptPictures = isTmux ? 8 : 16
        countsWholeBands = isTmux || version.hasPrefix("Konsole")
        keepsPixelsUnderText = version.hasPrefix("Konsole")
    }
}
