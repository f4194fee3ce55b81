import Raster

/// A picture of block characters, for terminals that do not display pixels.
package struct BlockPicture: Hashable, Sendable {
    /// The size in cells; zero if there is nothing to draw.
    package let grid: GridSize
    /// The cells, row by row.
    package let cells: [BlockCell]
    /// The colours that can be used.
    let depth: ColorDepth
    /// The colour that shows through transparent pixels, and behind characters without colours.
    package let background: Color

    /// The largest number of columns or rows; larger grids are cropped.
    package static let largestSide = 4096

    /// Draws `picture` over `background` in the cells of `grid`; an empty picture or grid has no cells.
    ///
    /// Each cell gets the character of `set` and the two colours with the least squared differences to the picture: in
    /// sRGB with truecolor, in Oklab with fewer colours, where dots of two colours represent intermediate ones. Equal
    /// pixels give equal cells, so that animations are steady. Complexity: O(pixels + cells).
    package init(
        _ picture: PixelBuffer, grid: GridSize, set: BlockSet = .quadrant, depth: ColorDepth = .truecolor,
        background: Color = .black
    ) {
        let grid = GridSize(columns: min(grid.columns, Self.largestSide), rows: min(grid.rows, Self.largestSide))
        self.background = background
        self.depth = depth
        guard grid.columns > 0, grid.rows > 0, !picture.size.isEmpty else {
            self.grid = GridSize(columns: 0, rows: 0)
            cells = []
            return
        }
        self.grid = grid
        let size = PixelSize(
            width: Self.length(picture.size.width, cells: grid.columns, enlarged: 8),
            height: Self.length(picture.size.height, cells: grid.rows, enlarged: 24))
        let fitting = BlockFitting(
            picture.boxScaled(to: size).flattened(over: background), grid: grid, set: depth == .none ? .ascii : set,
            palette: BlockPalette.of(depth))
        cells = (0..<grid.rows).flatMap(fitting.cells)
    }

    /// Returns the length to which a side of the picture is scaled: unchanged if it has 8 to 64 pixels per cell.
    ///
    /// With fewer, some eighths of a cell would have no pixels; the cell then gets `enlarged` pixels.
    private static func length(_ length: Int, cells: Int, enlarged: Int) -> Int {
        length < cells * 8 ? cells * enlarged : min(length, cells * 64)
    }

    /// The cell at a position, which must be inside the grid.
    package subscript(column: Int, row: Int) -> BlockCell { cells[row * grid.columns + column] }
}

extension BlockPicture {
    /// Returns the bytes that draw the picture with its upper left corner in a cell, counted from 0.
    ///
    /// Every row begins with an absolute cursor movement; the style is reset at the end.
    package func bytes(atColumn column: Int, row: Int) -> [UInt8] {
        guard !cells.isEmpty else { return [] }
        var bytes: [UInt8] = []
        var pen = Pen()
        for line in 0..<grid.rows {
            bytes += "\u{1B}[\(max(0, row) + line + 1);\(max(0, column) + 1)H".utf8
            draw(line, &pen, &bytes)
        }
        return bytes + Self.reset
    }

    /// Returns the bytes that draw the picture as lines of text; the style is reset before each line feed.
    func lines() -> [UInt8] {
        var bytes: [UInt8] = []
        for line in 0..<grid.rows {
            var pen = Pen()
            draw(line, &pen, &bytes)
            bytes += Self.reset + [10]
        }
        return bytes
    }

    /// The current colours; a space needs no foreground, a full block no background.
    private struct Pen {
        var foreground: Color?
        var background: Color?
    }

    private static let reset = Array("\u{1B}[0m".utf8)

    /// The most bytes of a cell: two 24-bit colours and a character.
    private static let cellCapacity = "\u{1B}[38;2;255;255;255;48;2;255;255;255m".utf8.count + 4

    private func draw(_ line: Int, _ pen: inout Pen, _ bytes: inout [UInt8]) {
        bytes.append(capacity: grid.columns * Self.cellCapacity) { output in
            for place in 0..<grid.columns { draw(self[place, line], &pen, &output) }
        }
    }

    private func draw(_ cell: BlockCell, _ pen: inout Pen, _ output: inout ByteWriter) {
        guard depth != .none else { return output.append(weight(of: cell.background)) }
        let (front, behind) = (cell.foreground, cell.background)
        let isFull = cell.shape == BlockShape.full
        let isFlat = front == behind && !isFull
        let changes = (front: !isFlat && front != pen.foreground, behind: !isFull && behind != pen.background)
        if changes.front || changes.behind {
            output.append(0x1B)
            output.append(UInt8(ascii: "["))
            if changes.front { output.append(front, depth, foreground: true) }
            if changes.front && changes.behind { output.append(UInt8(ascii: ";")) }
            if changes.behind { output.append(behind, depth, foreground: false) }
            output.append(UInt8(ascii: "m"))
        }
        pen = Pen(foreground: isFlat ? pen.foreground : front, background: isFull ? pen.background : behind)
        for byte in BlockShape.encoded[isFlat ? 0 : Int(cell.shape)] { output.append(byte) }
    }

    /// Returns the character whose weight represents a colour's brightness, or its darkness on a bright background.
    private func weight(of color: Color) -> UInt8 {
        let weight = background.luma < 128_000 ? color.luma : 255_000 - color.luma
        return Self.ramp[min(weight * Self.ramp.count / 255_001, Self.ramp.count - 1)]
    }

    /// Characters from light to heavy.
    private static let ramp = Array(" .:-=+*#%@".utf8)
}

/// A character cell of a block picture.
package struct BlockCell: Hashable, Sendable {
    /// The index of the character in `BlockShape.all`.
    let shape: UInt8
    /// The colour of the character.
    package let foreground: Color
    /// The colour behind the character.
    package let background: Color

    /// The block character; a space only shows the background.
    package var character: Character { BlockShape.all[Int(shape)].character }
}
