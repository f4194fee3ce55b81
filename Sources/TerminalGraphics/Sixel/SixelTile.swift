import Raster

/// One control string of a sixel picture: a whole picture, or a part of one that exceeds the terminal's limit.
///
/// Tiles start at cell boundaries, because the cursor can only be moved to cells.
struct SixelTile: Hashable, Sendable {
    /// The tile's first cell, counted from the picture's upper left corner.
    let column: Int
    let row: Int
    let stream: [UInt8]

    /// Returns the bytes that draw the tile of a picture whose corner is in a cell.
    func bytes(atColumn column: Int, row: Int) -> [UInt8] {
        guard !stream.isEmpty else { return [] }
        let (top, left) = (max(0, row) + self.row + 1, max(0, column) + self.column + 1)
        return Array("\u{1B}[\(top);\(left)H".utf8) + stream
    }

    /// Returns the bytes that draw a picture of `rows` text rows at the cursor and leave the cursor below it.
    ///
    /// Several tiles first get their rows by line feeds, and are then placed relative to the first row. No row of tiles
    /// may be higher than the screen.
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

    /// Draws to the right of the cursor, which does not move.
    private var bytesInRow: [UInt8] {
        let move = column > 0 ? "\u{1B}[\(column)C" : ""
        return Array("\u{1B}7\(move)".utf8) + stream + Array("\u{1B}8".utf8)
    }
}

extension SixelLimits {
    /// Returns the size of the part of a picture that is drawn: up to five rows at its bottom are left out if the
    /// terminal rounds the height up to whole bands.
    ///
    /// Otherwise the last band would reach into the cells below: tmux drops such a picture when text is written there,
    /// and Konsole erases the text. A picture lower than a band is drawn as it is.
    func drawnSize(of size: PixelSize, cell: CellSize) -> PixelSize {
        let coveredHeight = (size.height + cell.height - 1) / cell.height * cell.height
        let bands = coveredHeight / SixelEnvelope.bandHeight * SixelEnvelope.bandHeight
        guard countsWholeBands, bands > 0 else { return size }
        return PixelSize(width: size.width, height: min(size.height, bands))
    }

    /// Divides a picture into parts within the limit that start at cell boundaries, row by row.
    ///
    /// A limit smaller than one cell counts as one cell. If the terminal rounds heights up to whole bands, all parts
    /// but the lowest consist of whole bands, unless the limit is too small for that.
    func parts(of size: PixelSize, cell: CellSize) -> [(x: Range<Int>, y: Range<Int>)] {
        let width = max(1, maximumSize.width / cell.width) * cell.width
        let unit = countsWholeBands ? SixelEnvelope.alignment(to: cell) : cell.height
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
    /// Returns the pixels of some columns and rows with the same colours.
    func part(x: Range<Int>, y: Range<Int>) -> IndexedPicture {
        if x.count == size.width, y.count == size.height { return self }
        let size = PixelSize(width: x.count, height: y.count)
        var part: [UInt8] = []
        part.reserveCapacity(size.area)
        for row in y {
            part += indices[row * self.size.width + x.lowerBound..<row * self.size.width + x.upperBound]
        }
        return IndexedPicture(size: size, trusted: colors, indices: part, hole: hole)
    }
}

/// The limits of a terminal's sixel support.
public struct SixelLimits: Hashable, Sendable {
    /// The colour registers, 2…256.
    public let registers: Int
    /// The largest size of one control string; xterm does not draw larger ones.
    package let maximumSize: PixelSize
    /// Whether the terminal rounds a picture's height up to a multiple of six pixels (tmux 3.5, Konsole).
    ///
    /// The picture then also occupies the cells that the last band reaches into.
    package let countsWholeBands: Bool

    /// Creates limits, clamped to 2…256 registers and sides of 1…10,000.
    ///
    /// The defaults, 256 registers and 1000×1000 pixels, suit terminals that do not report theirs.
    public init(
        registers: Int = 256, maximumSize: PixelSize = PixelSize(width: 1000, height: 1000),
        countsWholeBands: Bool = false
    ) {
        self.registers = min(max(registers, 2), 256)
        self.maximumSize = PixelSize(
            width: min(max(maximumSize.width, 1), Self.largestSide),
            height: min(max(maximumSize.height, 1), Self.largestSide))
        self.countsWholeBands = countsWholeBands
    }

    /// The longest side ever written in pixels: 10,000, tmux's limit.
    package static let largestSide = 10_000
}
