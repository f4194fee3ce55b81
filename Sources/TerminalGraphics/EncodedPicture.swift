import Raster

/// A picture ready to be written, wherever on the screen.
public struct EncodedPicture: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case sixel([UInt8])
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
        case .sixel(let stream):
            guard !stream.isEmpty else { return [] }
            return Array("\u{1B}[\(max(0, row) + 1);\(max(0, column) + 1)H".utf8) + stream
        case .kitty(let picture): return picture.bytes(atColumn: column, row: row)
        case .iterm(let picture): return picture.bytes(atColumn: column, row: row)
        case .blocks(let picture): return picture.bytes(atColumn: column, row: row)
        }
    }

    /// The bytes that take the picture away again where writing over its cells does not (kitty); else empty.
    ///
    /// They are also right after `bytes(atColumn:row:)` of the same place that was cut short. What is drawn in another
    /// picture's stead comes first and the erasing after it, so that nothing flickers; equal bytes mean that it is the
    /// same picture in the same place, which must not be erased then.
    public func erasing(atColumn column: Int, row: Int) -> [UInt8] {
        guard case .kitty(let picture) = content else { return [] }
        return picture.erasing(atColumn: column, row: row)
    }

    /// The bytes that draw the picture where the cursor stands, in the flow of text, with a line's end after it.
    public var inlineBytes: [UInt8] {
        switch content {
        case .sixel(let stream): stream.isEmpty ? [] : stream + [10]
        case .kitty(let picture): picture.inlineBytes
        case .iterm(let picture): picture.inlineBytes
        case .blocks(let picture): picture.lines()
        }
    }

    /// The control string that draws at the cursor; nil for all but sixel.
    public var sixelStream: [UInt8]? {
        guard case .sixel(let stream) = content else { return nil }
        return stream
    }

    /// The memory it takes, about, in bytes; for a cache's budget.
    public var cost: Int {
        switch content {
        case .sixel(let stream): stream.count
        case .kitty(let picture): picture.count
        case .iterm(let picture): picture.count
        case .blocks(let picture): picture.cells.count * MemoryLayout<BlockCell>.stride
        }
    }
}
