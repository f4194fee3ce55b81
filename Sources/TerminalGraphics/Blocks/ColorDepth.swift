/// How many colours of text a terminal can show.
public enum ColorDepth: String, Hashable, Sendable, CaseIterable {
    /// Any colour of 24 bits.
    case truecolor
    /// The 6×6×6 cube and the 24 greys above the 16 named colours.
    case palette256
    /// The sixteen named colours, taken to be xterm's defaults.
    case palette16
    /// Sixteen colours in front of eight, as on the Linux console.
    case console
    /// No colour: brightness by characters of different weight.
    case none
}
