/// The way pictures reach the terminal.
public enum GraphicsProtocol: Hashable, Sendable {
    /// Pixels, by sixel control strings.
    case sixel(SixelLimits)
    /// Pixels in all colours, by kitty's graphics protocol; the terminal keeps them until they are erased.
    case kitty(KittyOptions)
    /// Picture files, by iTerm2's inline image protocol.
    case iterm(ITermOptions)
    /// Characters that are parts of a block, quadrants by default, in colours.
    case blocks(ColorDepth, BlockSet = .quadrant)

    /// The bytes that take away every picture that may still stand, for the program's end; empty for most protocols.
    public var erasingAll: [UInt8] {
        guard case .kitty = self else { return [] }
        return KittyPicture.erasingAll
    }
}
