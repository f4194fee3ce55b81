import Raster

extension EncodedPicture {
    /// The bytes that draw the picture in a cell, in control strings of about `limit` bytes at most.
    ///
    /// A longer sixel picture is drawn in strips, each at a text row of its own; kitty's strings are short anyway, and
    /// iTerm2's are as long as its options say. tmux drops strings from 1 MiB on.
    public func bytes(atColumn column: Int, row: Int, limit: Int) -> [UInt8] {
        guard case .sixel(let tiles) = content else { return bytes(atColumn: column, row: row) }
        return tiles.flatMap { tile -> [SixelTile] in
            guard tile.stream.count > limit, let strips = SixelStrips(tile.stream) else { return [tile] }
            return strips.strips(cellHeight: cell.height, limit: limit).map { strip in
                SixelTile(column: tile.column, row: tile.row + strip.row, stream: strip.stream)
            }
        }.flatMap { $0.bytes(atColumn: column, row: row) }
    }

    /// The bytes that draw the picture through a multiplexer, in a cell counted from the outer terminal's corner.
    public func bytes(atColumn column: Int, row: Int, through passthrough: Passthrough) -> [UInt8] {
        // Room for the envelope and for escapes that are doubled.
        passthrough.wrapped(bytes(atColumn: column, row: row, limit: Passthrough.tmux.pieceLimit - 1000))
    }
}
