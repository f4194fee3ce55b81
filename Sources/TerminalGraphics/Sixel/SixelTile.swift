import Raster

/// One control string of a sixel picture: all of a small picture, or a part of one that exceeds the terminal's limit.
///
/// Tiles meet at borders of cells, so that each begins where the cursor can be moved to.
struct SixelTile: Hashable, Sendable {
    /// The tile's first cell, counted from the picture's upper left corner.
    let column: Int
    let row: Int
    let stream: [UInt8]

    /// Returns the bytes that draw the tile of a picture whose corner is in the given cell.
    func bytes(atColumn column: Int, row: Int) -> [UInt8] {
        guard !stream.isEmpty else { return [] }
        let (top, left) = (max(0, row) + self.row + 1, max(0, column) + self.column + 1)
        return Array("\u{1B}[\(top);\(left)H".utf8) + stream
    }

    /// Returns the bytes that draw a picture of `rows` text rows at the cursor and leave the cursor below it.
    ///
    /// Several tiles get their rows by line feeds first, and are then placed by moves relative to the first row. No row
    /// of tiles may be higher than the screen.
    static func inlineBytes(of tiles: [SixelTile], rows: Int) -> [UInt8] {
        guard tiles.count > 1 else { return tiles.flatMap { $0.stream.isEmpty ? [] : $0.stream + [10] } }
        let tops = Set(tiles.map(\.row)).sorted()
        var bytes: [UInt8] = []
        for (top, bottom) in zip(tops, tops.dropFirst() + [rows]) {
            let height = bottom - top
            bytes += String(repeating: "\n", count: height).utf8
            bytes += "\u{1B}[\(height)A".utf8
            for tile in tiles where tile.row == top { bytes += tile.bytesInRow }
            bytes += "\u{1B}[\(height)B\r".utf8
        }
        return bytes
    }

    /// Draws right of the cursor, which stays.
    private var bytesInRow: [UInt8] {
        let move = column > 0 ? "\u{1B}[\(column)C" : ""
        return Array("\u{1B}7\(move)".utf8) + stream + Array("\u{1B}8".utf8)
    }
}

extension SixelLimits {
    /// Returns the size that is drawn of a picture: all of it, or without up to five rows at the bottom.
    ///
    /// These go where the last band would reach into the cells below: tmux drops a picture when text is written there,
    /// and Konsole erases the text. A picture lower than a band is drawn as it is.
    func drawn(of size: PixelSize, cell: CellSize) -> PixelSize {
        let room = (size.height + cell.height - 1) / cell.height * cell.height
        let bands = room / SixelEnvelope.bandHeight * SixelEnvelope.bandHeight
        guard countsWholeBands, bands > 0 else { return size }
        return PixelSize(width: size.width, height: min(size.height, bands))
    }

    /// Divides a picture into parts that are not larger than the limit and begin at borders of cells, row by row.
    ///
    /// A limit smaller than one cell counts as one cell. Where whole bands count, parts above others are whole bands too,
    /// unless the limit is too small for that.
    func parts(of size: PixelSize, cell: CellSize) -> [(x: Range<Int>, y: Range<Int>)] {
        let width = max(1, maximumSize.width / cell.width) * cell.width
        let unit = countsWholeBands ? SixelEnvelope.borderOfBandsAndRows(cell) : cell.height
        let height =
            maximumSize.height >= unit
            ? maximumSize.height / unit * unit : max(1, maximumSize.height / cell.height) * cell.height
        return stride(from: 0, to: size.height, by: height).flatMap { y in
            stride(from: 0, to: size.width, by: width).map { x in
                (x..<min(x + width, size.width), y..<min(y + height, size.height))
            }
        }
    }
}

extension IndexedPicture {
    /// Returns the pixels of some columns and rows inside the picture, with the same colours.
    func part(x: Range<Int>, y: Range<Int>) -> IndexedPicture {
        if x.count == size.width, y.count == size.height { return self }
        let size = PixelSize(width: x.count, height: y.count)
        var part: [UInt8] = []
        part.reserveCapacity(size.area)
        for row in y {
            part += indices[row * self.size.width + x.lowerBound..<row * self.size.width + x.upperBound]
        }
        return IndexedPicture(size: size, trusted: colors, indices: part)
    }
}
