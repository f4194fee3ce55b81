import Raster
import TestSupport

@testable import TerminalGraphics

/// What block characters cover, by the Unicode Standard's names of them, on 8 × 24 samples a cell.
enum Glyphs {
    static let columns = 8
    static let rows = 24

    private static let quadrants: [Character: String] = [
        " ": "", "▀": "01", "▄": "23", "▌": "02", "▐": "13", "█": "0123", "▘": "0", "▝": "1", "▖": "2", "▗": "3",
        "▚": "03", "▞": "12", "▛": "012", "▜": "013", "▙": "023", "▟": "123",
    ]

    /// Quarters of the cell.
    static let shades: [Character: Int] = ["░": 1, "▒": 2, "▓": 3]

    /// From LOWER ONE EIGHTH BLOCK on.
    private static func lowerEighths(_ code: UInt32) -> Int? {
        (0x2581...0x2588).contains(code) ? Int(code) - 0x2580 : nil
    }

    /// From LEFT SEVEN EIGHTHS BLOCK down.
    private static func leftEighths(_ code: UInt32) -> Int? {
        (0x2589...0x258F).contains(code) ? 0x2590 - Int(code) : nil
    }

    /// The pattern of a sextant: U+1FB00 is BLOCK SEXTANT-1, the digits count like bits, and -135 and -246 do not exist.
    private static func sextants(_ code: UInt32) -> Int? {
        guard (0x1FB00...0x1FB3B).contains(code) else { return nil }
        let patterns = (1...62).filter { $0 != 0b010101 && $0 != 0b101010 }
        return patterns[Int(code) - 0x1FB00]
    }

    /// Which of the samples a character covers, row by row; not for shades.
    static func coverage(of character: Character) -> [Bool] {
        let code = character.unicodeScalars.first?.value ?? 0
        return (0..<columns * rows).map { sample in
            let (x, y) = (sample % columns, sample / columns)
            if let pattern = sextants(code) { return pattern >> (y / 8 * 2 + x / 4) & 1 == 1 }
            if let eighths = lowerEighths(code) { return y >= rows - eighths * 3 }
            if let eighths = leftEighths(code) { return x < eighths }
            return (quadrants[character] ?? "?").contains("\(y / 12 * 2 + x / 4)")
        }
    }

    /// All characters that a set could use besides shades, opposites too where they are characters.
    static func all(of set: BlockSet) -> [Character] {
        let halves: [Character] = [" ", "▀", "▄", "▌", "▐"]
        switch set {
        case .ascii, .shades: return [" "]
        case .half: return halves
        case .quadrant: return Array(Set(quadrants.keys).union(characters(0x2581...0x258F)))
        case .sextant: return all(of: .quadrant) + characters(0x1FB00...0x1FB3B)
        }
    }

    private static func characters(_ codes: ClosedRange<UInt32>) -> [Character] {
        codes.compactMap(Unicode.Scalar.init).map { Character($0) }
    }

    /// The samples as a terminal shows a cell; dots are so small that they mix.
    static func drawn(_ cell: BlockCell) -> PixelBuffer {
        if let quarters = shades[cell.character] {
            let mixed = mixed(cell.foreground, cell.background, quarters)
            return Pictures.make(columns, rows) { _, _ in mixed }
        }
        let coverage = coverage(of: cell.character)
        return Pictures.make(columns, rows) { x, y in
            coverage[y * columns + x] ? cell.foreground : cell.background
        }
    }

    static func drawn(_ picture: BlockPicture) -> PixelBuffer {
        let cells = picture.cells.map(drawn)
        return Pictures.make(picture.grid.columns * columns, picture.grid.rows * rows) { x, y in
            cells[y / rows * picture.grid.columns + x / columns][x % columns, y % rows]
        }
    }

    private static func mixed(_ front: Color, _ back: Color, _ quarters: Int) -> Color {
        func mean(_ first: UInt8, _ second: UInt8) -> UInt8 {
            UInt8((Int(first) * quarters + Int(second) * (4 - quarters) + 2) / 4)
        }
        return Color(
            red: mean(front.red, back.red), green: mean(front.green, back.green), blue: mean(front.blue, back.blue))
    }
}
