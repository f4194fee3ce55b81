/// Which characters a block picture may be made of, as fonts differ; each set includes those before it.
public enum BlockSet: String, Hashable, Sendable, CaseIterable {
    /// Spaces only: one colour a cell, for fonts without blocks.
    case ascii
    /// The shades (U+2591, U+2592) where colours are few, and the full block (U+2588) on the Linux console, whose fonts
    /// often have no more.
    case shades
    /// The upper and the left half (U+2580, U+258C), and their opposites (U+2584, U+2590) on the Linux console.
    case half
    /// Quadrants (U+2596 to U+259F) and eighths of the height and width (U+2581 to U+258F).
    case quadrant
    /// Sextants (U+1FB00 to U+1FB3B, Unicode 13): six pixels a cell.
    case sextant

    /// How many of `BlockShape.solid`, from the first on, belong to it; what stands behind them in `BlockShape.all` comes on
    /// top.
    var count: Int {
        switch self {
        case .ascii, .shades: 1
        case .half: 3
        case .quadrant: 20
        case .sextant: BlockShape.solid.count
        }
    }
}
