import Raster

extension BlockPicture {
    /// The bytes that draw the picture with its upper left cell at a position, both counted from 0.
    ///
    /// Every row begins with an absolute cursor movement; the colours are reset at the end.
    public func bytes(atColumn column: Int, row: Int, depth: ColorDepth) -> [UInt8] {
        guard !cells.isEmpty else { return [] }
        var text = ""
        var pen: Pen?
        for line in 0..<grid.rows {
            text += "\u{1B}[\(max(0, row) + line + 1);\(max(0, column) + 1)H"
            for place in 0..<grid.columns { draw(self[place, line], depth, &pen, &text) }
        }
        return Array((text + "\u{1B}[0m").utf8)
    }

    /// The bytes that draw the picture as lines of text; the colours are reset before each line's end.
    func lines(depth: ColorDepth) -> [UInt8] {
        var text = ""
        for line in 0..<grid.rows {
            var pen: Pen?
            for place in 0..<grid.columns { draw(self[place, line], depth, &pen, &text) }
            text += "\u{1B}[0m\n"
        }
        return Array(text.utf8)
    }

    /// The colours in force; a space needs no foreground.
    private struct Pen: Hashable {
        var foreground: TextColor?
        var background: TextColor?
    }

    private func draw(_ cell: BlockCell, _ depth: ColorDepth, _ pen: inout Pen?, _ text: inout String) {
        guard let behind = TextColor(cell.background, depth: depth),
            let front = TextColor(cell.foreground, depth: depth)
        else {
            text.append(shade(of: cell))
            return
        }
        let foreground = front == behind ? pen?.foreground : front
        var changes: [String] = []
        if let foreground, foreground != pen?.foreground { changes.append(foreground.parameters(foreground: true)) }
        if behind != pen?.background { changes.append(behind.parameters(foreground: false)) }
        if !changes.isEmpty { text += "\u{1B}[\(changes.joined(separator: ";"))m" }
        pen = Pen(foreground: foreground, background: behind)
        text.append(front == behind ? " " : cell.character)
    }

    /// The character whose weight stands for the cell's brightness, or its darkness on a bright background.
    private func shade(of cell: BlockCell) -> Character {
        let brightness = (cell.foreground.luma * cell.coverage + cell.background.luma * (4 - cell.coverage)) / 4
        let weight = background.luma < 128_000 ? brightness : 255_000 - brightness
        return Self.ramp[min(weight * Self.ramp.count / 255_001, Self.ramp.count - 1)]
    }

    /// From light to heavy.
    private static let ramp = Array(" .:-=+*#%@")
}

extension BlockCell {
    /// How many of the four pixels the character covers.
    fileprivate var coverage: Int {
        switch character {
        case " ": 0
        case "▀", "▌", "▚": 2
        default: 1
        }
    }
}

extension Color {
    /// The luma of ITU-R BT.601 in thousandths, 0…255,000.
    var luma: Int { Int(red) * 299 + Int(green) * 587 + Int(blue) * 114 }
}
