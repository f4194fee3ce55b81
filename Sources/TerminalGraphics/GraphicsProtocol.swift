/// The way pictures reach the terminal.
public enum GraphicsProtocol: Hashable, Sendable {
    /// Pixels, by sixel control strings.
    case sixel(SixelLimits)
    /// Characters that are parts of a block, in colours.
    case blocks(ColorDepth)
}
