import Raster

/// One character cell of a block picture.
public struct BlockCell: Hashable, Sendable {
    /// The place of the character in `BlockShape.all`.
    let shape: UInt8
    /// The colour of the character.
    public let foreground: Color
    /// The colour behind it.
    public let background: Color

    /// The block that stands in the cell; a space shows the background only.
    public var character: Character { BlockShape.all[Int(shape)].character }
}
