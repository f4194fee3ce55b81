/// A block character and the area of the cell that it covers.
struct BlockShape: Sendable {
    /// A covered area.
    enum Area: Hashable, Sendable {
        /// Quarters in two rows, the upper left in the lowest bit.
        case quarters(Int)
        /// Eighths of the height, from the bottom.
        case lower(Int)
        /// Eighths of the width, from the left.
        case left(Int)
        /// Sixths in three rows, the upper left in the lowest bit.
        case sixths(Int)
        /// Dots all over the cell that cover some quarters of it.
        case dots(Int)
    }

    let character: Character
    let area: Area

    private init(_ character: Character, _ area: Area) { (self.character, self.area) = (character, area) }

    /// Returns the character made of sixths.
    ///
    /// Nil for the four patterns that Unicode omits from the sextants, because they are the space, the full block, and
    /// the left and right half (The Unicode Standard, Symbols for Legacy Computing).
    init?(sextants: Int) {
        let missing = [0b000000, 0b010101, 0b101010, 0b111111]
        guard (0..<64).contains(sextants), !missing.contains(sextants) else { return nil }
        let place = sextants - missing.filter { $0 < sextants }.count
        guard let scalar = Unicode.Scalar(UInt32(0x1FB00 + place)) else { return nil }
        self.init(Character(scalar), .sixths(sextants))
    }

    /// The shapes with edges, simplest first; the inverse of a shape is the same shape with exchanged colours.
    ///
    /// The order is that of `BlockSet.count`. Only sextants that cover the upper left are included; the others are
    /// their inverses.
    static let solid =
        [
            BlockShape(" ", .quarters(0b0000)), BlockShape("▀", .quarters(0b0011)), BlockShape("▌", .quarters(0b0101)),
            BlockShape("▘", .quarters(0b0001)), BlockShape("▝", .quarters(0b0010)), BlockShape("▖", .quarters(0b0100)),
            BlockShape("▗", .quarters(0b1000)), BlockShape("▚", .quarters(0b1001)),
            BlockShape("▁", .lower(1)), BlockShape("▂", .lower(2)), BlockShape("▃", .lower(3)),
            BlockShape("▅", .lower(5)), BlockShape("▆", .lower(6)), BlockShape("▇", .lower(7)),
            BlockShape("▏", .left(1)), BlockShape("▎", .left(2)), BlockShape("▍", .left(3)),
            BlockShape("▋", .left(5)), BlockShape("▊", .left(6)), BlockShape("▉", .left(7)),
        ] + stride(from: 0b000001, to: 0b111111, by: 2).compactMap(BlockShape.init(sextants:))

    /// All shapes: the solid ones, the two of dots, and the inverses of the first three.
    static let all =
        solid + [
            BlockShape("░", .dots(1)), BlockShape("▒", .dots(2)), BlockShape("█", .quarters(0b1111)),
            BlockShape("▄", .quarters(0b1100)), BlockShape("▐", .quarters(0b1010)),
        ]

    /// The index in `all` of the full block, which hides the background.
    static let full = solid.count + 2

    /// Returns the index of a shape's inverse, for terminals that cannot always exchange colours; nil if there is none.
    static func opposite(of shape: Int) -> Int? { shape < 3 ? full + shape : nil }

    /// Returns the index of the character whose dots cover some quarters of a cell, 0 to 2.
    static func dots(_ quarters: Int) -> Int { quarters == 0 ? 0 : solid.count - 1 + quarters }

    /// The characters of `all` in UTF-8.
    static let encoded = all.map { Array(String($0.character).utf8) }
}

/// The characters of a block picture, depending on the font; each set includes the previous ones.
public enum BlockSet: String, Hashable, Sendable, CaseIterable {
    /// Spaces only, one colour per cell, for fonts without blocks.
    case ascii
    /// Shades (U+2591, U+2592) if colours are few, and the full block (U+2588) on the Linux console, whose fonts often
    /// have no other blocks.
    case shades
    /// The upper and left half (U+2580, U+258C), and their inverses (U+2584, U+2590) on the Linux console.
    case half
    /// Quadrants (U+2596 to U+259F), and eighths of the height and width (U+2581 to U+258F).
    case quadrant
    /// Sextants (U+1FB00 to U+1FB3B, Unicode 13): six pixels per cell.
    case sextant

    /// The number of shapes at the start of `BlockShape.solid` that belong to the set; dots and inverses are not
    /// counted.
    var count: Int {
        switch self {
        case .ascii, .shades: 1
        case .half: 3
        case .quadrant: 20
        case .sextant: BlockShape.solid.count
        }
    }
}
