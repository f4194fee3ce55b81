import Raster

extension EncodedPicture {
    /// The bytes that draw the picture in a cell, in control strings of about `limit` bytes at most.
    ///
    /// A longer sixel picture is drawn in strips, each at a text row of its own; kitty's strings are short anyway, and
    /// iTerm2's are as long as its options say. tmux drops strings from 1 MiB on.
    public func bytes(atColumn column: Int, row: Int, limit: Int) -> [UInt8] {
        guard let stream = sixelStream, stream.count > limit, let strips = SixelStrips(stream) else {
            return bytes(atColumn: column, row: row)
        }
        return strips.strips(cellHeight: cell.height, limit: limit).reduce(into: []) { bytes, strip in
            bytes += "\u{1B}[\(max(0, row) + strip.row + 1);\(max(0, column) + 1)H".utf8
            bytes += strip.stream
        }
    }

    /// The bytes that draw the picture through a multiplexer, in a cell counted from the outer terminal's corner.
    public func bytes(atColumn column: Int, row: Int, through passthrough: Passthrough) -> [UInt8] {
        // Room for the envelope and for escapes that are doubled.
        passthrough.wrapped(bytes(atColumn: column, row: row, limit: Passthrough.tmux.pieceLimit - 1000))
    }
}
