/// A part of a text that fills one cell or two; written side by side the pieces are the text again.
///
/// A grapheme is one piece, except where a terminal would count more than two cells for it: then each scalar that
/// takes a cell starts a piece of its own.
struct CellPiece: Equatable {
    let character: Character
    let width: Int

    /// Cuts a text; what takes no cell and follows nothing is dropped.
    ///
    /// Complexity: O(scalars).
    static func pieces(of text: String) -> [CellPiece] {
        var pieces: [CellPiece] = []
        pieces.reserveCapacity(text.utf8.count)
        for character in text {
            let width = CellWidth.sum(of: character)
            if width > 2 {
                pieces += split(character)
            } else if width > 0 {
                pieces.append(CellPiece(character: character, width: width))
            }
        }
        return pieces
    }

    private static func split(_ character: Character) -> [CellPiece] {
        var pieces: [CellPiece] = []
        var current = ""
        var width = 0
        for scalar in character.unicodeScalars {
            let advance = CellWidth.of(scalar)
            if advance > 0, width > 0 {
                pieces.append(CellPiece(character: Character(current), width: width))
                (current, width) = ("", 0)
            }
            current.unicodeScalars.append(scalar)
            width += advance
        }
        if width > 0 { pieces.append(CellPiece(character: Character(current), width: width)) }
        return pieces
    }
}
