import Raster

@testable import TerminalGraphics

/// What block characters cover, by the Unicode Standard's names of them, on two by six samples a cell.
enum Glyphs {
    private static let quadrants: [Character: String] = [
        " ": "", "▀": "01", "▄": "23", "▌": "02", "▐": "13", "█": "0123", "▘": "0", "▝": "1", "▖": "2", "▗": "3",
        "▚": "03", "▞": "12", "▛": "012", "▜": "013", "▙": "023", "▟": "123",
    ]

    /// The pattern of a sextant: U+1FB00 is BLOCK SEXTANT-1, the digits count like bits, and -135 and -246 do not exist.
    private static func sextants(_ character: Character) -> Int? {
        guard let value = character.unicodeScalars.first?.value, (0x1FB00...0x1FB3B).contains(value) else { return nil }
        let patterns = (1...62).filter { $0 != 0b010101 && $0 != 0b101010 }
        return patterns[Int(value) - 0x1FB00]
    }

    /// Which of the twelve samples a character covers, row by row.
    static func coverage(of character: Character) -> [Bool] {
        (0..<12).map { sample in
            let (x, y) = (sample % 2, sample / 2)
            if let pattern = sextants(character) { return pattern >> (y / 2 * 2 + x) & 1 == 1 }
            return (quadrants[character] ?? "?").contains("\(y / 3 * 2 + x)")
        }
    }

    /// All characters that a set could use, opposites too.
    static func all(of set: BlockSet) -> [Character] {
        let halves: [Character] = [" ", "▀", "▄", "▌", "▐"]
        switch set {
        case .ascii: return [" "]
        case .half: return halves
        case .quadrant: return Array(quadrants.keys)
        case .sextant:
            return quadrants.keys + (0x1FB00...0x1FB3B).compactMap(Unicode.Scalar.init).map { Character($0) }
        }
    }

    /// The samples as a terminal shows a cell.
    static func drawn(_ cell: BlockCell) -> PixelBuffer {
        let coverage = coverage(of: cell.character)
        return Pictures.make(2, 6) { x, y in coverage[y * 2 + x] ? cell.foreground : cell.background }
    }

    static func drawn(_ picture: BlockPicture) -> PixelBuffer {
        Pictures.make(picture.grid.columns * 2, picture.grid.rows * 6) { x, y in
            drawn(picture[x / 2, y / 6])[x % 2, y % 6]
        }
    }
}
