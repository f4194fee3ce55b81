import Raster

extension BlockPicture {
    /// The bytes that draw the picture with its upper left cell at a position, both counted from 0.
    ///
    /// Every row begins with an absolute cursor movement; the colours are reset at the end.
    public func bytes(atColumn column: Int, row: Int) -> [UInt8] {
        guard !cells.isEmpty else { return [] }
        var bytes: [UInt8] = []
        var pen = Pen()
        for line in 0..<grid.rows {
            bytes += "\u{1B}[\(max(0, row) + line + 1);\(max(0, column) + 1)H".utf8
            draw(line, &pen, &bytes)
        }
        return bytes + Self.reset
    }

    /// The bytes that draw the picture as lines of text; the colours are reset before each line's end.
    func lines() -> [UInt8] {
        var bytes: [UInt8] = []
        for line in 0..<grid.rows {
            var pen = Pen()
            draw(line, &pen, &bytes)
            bytes += Self.reset + [10]
        }
        return bytes
    }

    /// The colours in force; a space needs no foreground, a full block no background.
    private struct Pen {
        var foreground: TextColor?
        var background: TextColor?
    }

    private static let reset = Array("\u{1B}[0m".utf8)

    /// The most bytes a cell takes: both colours of 24 bits and a character.
    private static let cellRoom = "\u{1B}[38;2;255;255;255;48;2;255;255;255m".utf8.count + 4

    private func draw(_ line: Int, _ pen: inout Pen, _ bytes: inout [UInt8]) {
        bytes.append(room: grid.columns * Self.cellRoom) { output in
            for place in 0..<grid.columns { draw(self[place, line], &pen, &output) }
        }
    }

    private func draw(_ cell: BlockCell, _ pen: inout Pen, _ output: inout ByteWriter) {
        guard let behind = TextColor(cell.background, depth: depth),
            let front = TextColor(cell.foreground, depth: depth)
        else { return output.append(weight(of: cell.background)) }
        let isFull = cell.shape == BlockShape.full
        let isFlat = front == behind && !isFull
        let changes = (front: !isFlat && front != pen.foreground, behind: !isFull && behind != pen.background)
        if changes.front || changes.behind {
            output.append(0x1B)
            output.append(UInt8(ascii: "["))
            if changes.front { front.write(foreground: true, to: &output) }
            if changes.front && changes.behind { output.append(UInt8(ascii: ";")) }
            if changes.behind { behind.write(foreground: false, to: &output) }
            output.append(UInt8(ascii: "m"))
        }
        pen = Pen(foreground: isFlat ? pen.foreground : front, background: isFull ? pen.background : behind)
        for byte in BlockShape.encoded[isFlat ? 0 : Int(cell.shape)] { output.append(byte) }
    }

    /// The character whose weight stands for a colour's brightness, or for its darkness on a bright background.
    private func weight(of color: Color) -> UInt8 {
        let weight = background.luma < 128_000 ? color.luma : 255_000 - color.luma
        return Self.ramp[min(weight * Self.ramp.count / 255_001, Self.ramp.count - 1)]
    }

    /// From light to heavy.
    private static let ramp = Array(" .:-=+*#%@".utf8)
}
