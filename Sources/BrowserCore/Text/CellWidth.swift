/// How many terminal cells text takes: 0, 1 or 2 a scalar, and the sum of its scalars for a longer text.
///
/// Marks, controls, format characters and the joining halves of Hangul take none; `WideRanges` take two; all else,
/// East Asian ambiguous characters too, takes one. An emoji that a variation selector turns into a picture takes two.
package enum CellWidth {
    /// The cells of one grapheme, at most 2.
    package static func of(_ character: Character) -> Int { min(2, sum(of: character)) }

    /// The cells of a text.
    ///
    /// Complexity: O(scalars).
    package static func of(_ text: String) -> Int {
        text.reduce(into: 0) { $0 += sum(of: $1) }
    }

    /// The cells of one scalar on its own.
    package static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x7F { return scalar.value < 0x20 ? 0 : 1 }
        if isWeightless(scalar) { return 0 }
        return WideRanges.contains(scalar) ? 2 : 1
    }

    /// What a terminal that counts scalar by scalar advances for one grapheme; more than 2 for some Indic syllables.
    static func sum(of character: Character) -> Int {
        var total = 0
        var previous: Unicode.Scalar?
        for scalar in character.unicodeScalars {
            let isPicture = scalar.value == 0xFE0F && previous?.properties.isEmoji == true
            total += isPicture && total == 1 ? 1 : of(scalar)
            previous = scalar
        }
        return total
    }

    private static func isWeightless(_ scalar: Unicode.Scalar) -> Bool {
        if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) { return true }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
            return true
        default: return scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
