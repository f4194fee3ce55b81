import CNcurses

/// A cell's character as curses takes it: one spacing character and up to four combining ones.
enum CellText {
    /// The characters of `character`, ended by 0, for a cell `width` columns wide.
    ///
    /// `needsFilling` tells that they take one column of two. What is no text, or is wider than its cell, becomes `?`.
    static func characters(of character: Character, width: Int) -> (characters: [wchar_t], needsFilling: Bool) {
        // Most are, and take no look into any table.
        if let byte = character.asciiValue, byte >= 0x20, byte < 0x7F { return ([wchar_t(byte), 0], width == 2) }
        let scalars = character.unicodeScalars
        guard let first = scalars.first.map(wide) else { return ([question, 0], width == 2) }
        let taken = columns(first)
        guard taken == 1 || taken == width else { return ([question, 0], width == 2) }
        let combining = scalars.dropFirst().lazy.map(wide).prefix { columns($0) == 0 }.prefix(4)
        return ([first] + combining + [0], taken < width)
    }

    private static let question: wchar_t = 0x3F

    private static func wide(_ scalar: Unicode.Scalar) -> wchar_t { wchar_t(bitPattern: scalar.value) }

    private static func columns(_ character: wchar_t) -> Int {
        character == 0xA0 ? 1 : Int(alcedo_character_width(character))
    }
}
