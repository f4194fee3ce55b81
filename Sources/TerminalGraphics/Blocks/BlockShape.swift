/// A block character and the area of the cell that it covers.
struct BlockShape: Sendable {
    /// The covered area.
    enum Area: Hashable, Sendable {
        /// Quarters in two rows, the upper left in the lowest bit.
        case quarters(Int)
        /// So many eighths of the height, from the bottom.
        case lower(Int)
        /// So many eighths of the width, from the left.
        case left(Int)
        /// Sixths in three rows, the upper left in the lowest bit.
        case sixths(Int)
        /// Dots all over the cell that cover so many quarters of it.
        case dots(Int)
    }

    let character: Character
    let area: Area

    private init(_ character: Character, _ area: Area) {
        self.character = character
        self.area = area
    }

    /// Finds the character made of sixths.
    ///
    /// Nil for the four patterns that Unicode leaves out of its row of sextants, as they are the space, the full block
    /// and the left and the right half (The Unicode Standard, Symbols for Legacy Computing).
    init?(sextants: Int) {
        let missing = [0b000000, 0b010101, 0b101010, 0b111111]
        guard (0..<64).contains(sextants), !missing.contains(sextants) else { return nil }
        let place = sextants - missing.filter { $0 < sextants }.count
        guard let scalar = Unicode.Scalar(UInt32(0x1FB00 + place)) else { return nil }
        self.init(Character(scalar), .sixths(sextants))
    }

    /// Those that have an edge, the plainest first; a shape and its opposite are one with the colours exchanged.
    ///
    /// The order is that of `BlockSet.count`. Of the sextants, those that cover the upper left are here, as their opposites
    /// do not.
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

    /// All that are ever used: the solid ones, the two of dots, and the opposites of the first three.
    static let all =
        solid + [
            BlockShape("░", .dots(1)), BlockShape("▒", .dots(2)), BlockShape("█", .quarters(0b1111)),
            BlockShape("▄", .quarters(0b1100)), BlockShape("▐", .quarters(0b1010)),
        ]

    /// The place in `all` of the full block, behind which nothing is seen.
    static let full = solid.count + 2

    /// Returns the place of a shape's opposite, for terminals on which colours cannot always be exchanged; nil where it is
    /// not in `all`.
    static func opposite(of shape: Int) -> Int? { shape < 3 ? full + shape : nil }

    /// The place in `all` of the character whose dots cover so many quarters of a cell, 0 to 2.
    static func dots(_ quarters: Int) -> Int { quarters == 0 ? 0 : solid.count - 1 + quarters }

    /// The characters of `all` in UTF-8.
    static let encoded = all.map { Array(String($0.character).utf8) }
}
