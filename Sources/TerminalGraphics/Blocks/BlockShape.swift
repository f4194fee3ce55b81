/// A block character, as the part of the cell it covers.
struct BlockShape: Sendable {
    let character: Character
    /// Which quarters or sixths of the cell it covers, row by row, the first in the lowest bit.
    let parts: Int
    /// Whether the parts are sixths, in three rows, or quarters, in two.
    let isSextant: Bool

    /// A character made of quarters.
    init(_ character: Character, quadrants: Int) {
        self.character = character
        parts = quadrants
        isSextant = false
    }

    /// The character made of sixths.
    ///
    /// Nil for the four patterns that Unicode leaves out of its row of sextants, as they are the space, the full block
    /// and the left and the right half (The Unicode Standard, Symbols for Legacy Computing).
    init?(sextants: Int) {
        let missing = [0b000000, 0b010101, 0b101010, 0b111111]
        guard (0..<64).contains(sextants), !missing.contains(sextants) else { return nil }
        let place = sextants - missing.filter { $0 < sextants }.count
        guard let scalar = Unicode.Scalar(UInt32(0x1FB00 + place)) else { return nil }
        character = Character(scalar)
        parts = sextants
        isSextant = true
    }

    /// How many twelfths of the cell it covers.
    var coverage: Int { parts.nonzeroBitCount * (isSextant ? 2 : 3) }

    /// All that are ever used, the plainest first; a shape and its opposite are one with the colours exchanged.
    ///
    /// Of the sextants, those that cover the upper left, as their opposites do not.
    static let all =
        [
            BlockShape(" ", quadrants: 0b0000), BlockShape("▀", quadrants: 0b0011),
            BlockShape("▌", quadrants: 0b0101), BlockShape("▘", quadrants: 0b0001),
            BlockShape("▝", quadrants: 0b0010), BlockShape("▖", quadrants: 0b0100),
            BlockShape("▗", quadrants: 0b1000), BlockShape("▚", quadrants: 0b1001),
        ] + stride(from: 0b000001, to: 0b111111, by: 2).compactMap(BlockShape.init(sextants:))

    /// The characters of `all` in UTF-8.
    static let encoded = all.map { Array(String($0.character).utf8) }
}
