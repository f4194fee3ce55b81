import Raster

/// A picture ready to be written, wherever on the screen.
public struct EncodedPicture: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case sixel([SixelTile])
        case kitty(KittyPicture)
        case iterm(ITermPicture)
        case blocks(BlockPicture)
    }

    /// The pixels drawn, or for blocks those of the picture that was given.
    public let size: PixelSize
    /// The cells that are covered, wholly or in part.
    public let grid: GridSize
    /// The size of a cell when it was encoded.
    let cell: CellSize
    let content: Content

    /// The bytes that draw the picture with its upper left corner in a cell, column and row counted from 0.
    ///
    /// They move the cursor, which is not put back. A sixel or iTerm2 picture must not reach the screen's last row, as
    /// terminals scroll then.
    public func bytes(atColumn column: Int, row: Int) -> [UInt8] {
        switch content {
        case .sixel(let tiles): return tiles.flatMap { $0.bytes(atColumn: column, row: row) }
        case .kitty(let picture): return picture.bytes(atColumn: column, row: row)
        case .iterm(let picture): return picture.bytes(atColumn: column, row: row)
        case .blocks(let picture): return picture.bytes(atColumn: column, row: row)
        }
    }

    /// The bytes that take the picture away again where writing over its cells does not (kitty); else empty.
    ///
    /// They are also right after `bytes(atColumn:row:)` of the same place that was cut, once `interruption` ended it. What is drawn in another
    /// picture's stead comes first and the erasing after it, so that nothing flickers; equal bytes mean that it is the
    /// same picture in the same place, which must not be erased then.
    public func erasing(atColumn column: Int, row: Int) -> [UInt8] {
        guard case .kitty(let picture) = content else { return [] }
        return picture.erasing(atColumn: column, row: row)
    }

    /// The bytes that must follow when `bytes(atColumn:row:)` is cut after one of its control strings (kitty); else empty.
    ///
    /// A control string that is cut itself must be ended first, by CAN and ST.
    public var interruption: [UInt8] {
        guard case .kitty = content else { return [] }
        return KittyPicture.uploadEnd
    }

    /// The bytes that draw the picture where the cursor stands, in the flow of text, with a line's end after it.
    public var inlineBytes: [UInt8] {
        switch content {
        case .sixel(let tiles): SixelTile.inlineBytes(of: tiles, rows: grid.rows)
        case .kitty(let picture): picture.inlineBytes
        case .iterm(let picture): picture.inlineBytes
        case .blocks(let picture): picture.lines()
        }
    }

    /// The control string that draws at the cursor; nil for other protocols and for a picture of several tiles.
    public var sixelStream: [UInt8]? {
        guard case .sixel(let tiles) = content, tiles.count == 1 else { return nil }
        return tiles[0].stream
    }

    /// The memory it takes, about, in bytes; for a cache's budget.
    public var cost: Int {
        switch content {
        case .sixel(let tiles): tiles.reduce(0) { $0 + $1.stream.count }
        case .kitty(let picture): picture.count
        case .iterm(let picture): picture.count
        case .blocks(let picture): picture.cells.count * MemoryLayout<BlockCell>.stride
        }
    }
}
