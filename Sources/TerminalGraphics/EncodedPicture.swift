import Raster

/// An encoded picture that can be drawn anywhere on the screen.
public struct EncodedPicture: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case sixel([SixelTile])
        case kitty(KittyPicture)
        case iterm(ITermPicture)
        case blocks(BlockPicture)
    }

    /// The size in pixels as drawn; for blocks, the size of the original picture.
    public let size: PixelSize
    /// The cells that are covered, completely or partly.
    public let grid: GridSize
    /// The cell size at the time of encoding.
    let cell: CellSize
    let content: Content

    /// Returns the bytes that draw the picture with its upper left corner in a cell, counted from 0.
    ///
    /// They move the cursor and do not restore it. A sixel or iTerm2 picture must not reach the screen's last row,
    /// because terminals then scroll.
    public func bytes(atColumn column: Int, row: Int) -> [UInt8] {
        switch content {
        case .sixel(let tiles): return tiles.flatMap { $0.bytes(atColumn: column, row: row) }
        case .kitty(let picture): return picture.bytes(atColumn: column, row: row)
        case .iterm(let picture): return picture.bytes(atColumn: column, row: row)
        case .blocks(let picture): return picture.bytes(atColumn: column, row: row)
        }
    }

    /// Returns the bytes that remove the picture where overwriting its cells does not (kitty); otherwise none.
    ///
    /// They also remove a picture whose upload was interrupted and then terminated. To replace a picture without
    /// flickering, draw the new one first, then remove the old one. If both have the same bytes, they are the same
    /// picture at the same place; then remove nothing.
    public func erasing(atColumn column: Int, row: Int) -> [UInt8] {
        guard case .kitty(let picture) = content else { return [] }
        return picture.erasing(atColumn: column, row: row)
    }

    /// The bytes that must follow if `bytes(atColumn:row:)` is cut after one of its control strings (kitty); otherwise
    /// none.
    ///
    /// If a control string itself is cut, CAN and ST must end it first.
    package var uploadTerminator: [UInt8] {
        guard case .kitty = content else { return [] }
        return KittyPicture.uploadTerminator
    }

    /// The bytes that draw the picture at the cursor in the flow of text, followed by a line feed.
    public var inlineBytes: [UInt8] {
        switch content {
        case .sixel(let tiles): SixelTile.inlineBytes(of: tiles, rows: grid.rows)
        case .kitty(let picture): picture.inlineBytes
        case .iterm(let picture): picture.inlineBytes
        case .blocks(let picture): picture.lines()
        }
    }

    /// The approximate memory use in bytes, for a cache's budget.
    package var cost: Int {
        switch content {
        case .sixel(let tiles): tiles.reduce(0) { $0 + $1.stream.count }
        case .kitty(let picture): picture.count
        case .iterm(let picture): picture.count
        case .blocks(let picture): picture.cells.count * MemoryLayout<BlockCell>.stride
        }
    }
}

extension EncodedPicture {
    /// Returns the bytes that draw the picture in a cell, in control strings of about `limit` bytes at most.
    ///
    /// A longer sixel picture is drawn in strips, each at its own text row. kitty's strings are always short; iTerm2
    /// gets one string. tmux drops strings from 1 MiB on.
    public func bytes(atColumn column: Int, row: Int, limit: Int) -> [UInt8] {
        guard case .sixel(let tiles) = content else { return bytes(atColumn: column, row: row) }
        return tiles.flatMap { tile -> [SixelTile] in
            guard tile.stream.count > limit, let strips = SixelStrips(tile.stream) else { return [tile] }
            return strips.strips(cellHeight: cell.height, limit: limit).map { strip in
                SixelTile(column: tile.column, row: tile.row + strip.row, stream: strip.stream)
            }
        }.flatMap { $0.bytes(atColumn: column, row: row) }
    }

    /// Returns the bytes that draw the picture through a multiplexer, in a cell of the outer terminal.
    public func bytes(atColumn column: Int, row: Int, through passthrough: Passthrough) -> [UInt8] {
        passthrough.wrapped(bytes(atColumn: column, row: row, limit: Passthrough.tmux.stringLimit))
    }
}
