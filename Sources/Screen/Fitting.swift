/// Functions that fit text into a number of cells; results are at most that wide, those of `pad` exactly.
package enum Fitting {
    /// The position of padded text.
    package enum Alignment: Sendable {
        case leading, trailing
    }

    /// Returns as much of the start as fits.
    package static func clip(_ text: String, to width: Int) -> String {
        head(CellPiece.pieces(of: text), width)
    }

    /// Returns as much of the end as fits.
    package static func suffix(_ text: String, to width: Int) -> String {
        tail(CellPiece.pieces(of: text), width)
    }

    /// Returns the text, cut at its end with an ellipsis if it is too wide.
    package static func truncate(_ text: String, to width: Int, ellipsis: String = "…") -> String {
        let pieces = CellPiece.pieces(of: text)
        guard total(pieces) > width else { return text }
        return clip(head(pieces, width - CellWidth.of(ellipsis)) + ellipsis, to: width)
    }

    /// Returns the text, cut in its middle with an ellipsis if it is too wide: `very-long…ending.jpg`.
    ///
    /// Keeps the file extension. If not even that fits, returns as much of the end as fits.
    package static func truncateMiddle(_ text: String, to width: Int, ellipsis: String = "…") -> String {
        let pieces = CellPiece.pieces(of: text)
        guard total(pieces) > width else { return text }
        let room = width - CellWidth.of(ellipsis)
        guard room > 0 else { return clip(ellipsis, to: width) }
        let extent = fileExtensionWidth(pieces)
        let tailWidth = min(room, max(extent, room - room / 2))
        return head(pieces, room - tailWidth) + ellipsis + tail(pieces, tailWidth)
    }

    /// Returns the text clipped to `width` and filled up with spaces.
    package static func pad(_ text: String, to width: Int, _ alignment: Alignment = .leading) -> String {
        let clipped = clip(text, to: width)
        let space = max(0, width - CellWidth.of(clipped))
        switch alignment {
        case .leading: return clipped + spaces(space)
        case .trailing: return spaces(space) + clipped
        }
    }

    /// Breaks text at spaces into at most `limit` lines of at most `width` cells; truncates the last one.
    package static func wrap(_ text: String, to width: Int, limit: Int, ellipsis: String = "…") -> [String] {
        guard width > 0, limit > 0 else { return [] }
        var lines = [""]
        for word in text.split(separator: " ") {
            let joined = (lines.last ?? "").isEmpty ? String(word) : "\(lines.last ?? "") \(word)"
            let isFull = CellWidth.of(joined) > width && !(lines.last ?? "").isEmpty && lines.count < limit
            if isFull { lines.append(String(word)) } else { lines[lines.count - 1] = joined }
        }
        return lines.map { truncate($0, to: width, ellipsis: ellipsis) }
    }

    /// Breaks text at any character into at most `limit` lines of `width` cells; truncates the middle of the last one.
    package static func fold(_ text: String, to width: Int, limit: Int, ellipsis: String = "…") -> [String] {
        guard width > 0, limit > 0 else { return [] }
        var lines = [""]
        var taken = 0
        for piece in CellPiece.pieces(of: text) {
            if taken > 0, taken + piece.width > width, lines.count < limit {
                lines.append("")
                taken = 0
                if piece.character == " " { continue }
            }
            lines[lines.count - 1].append(piece.character)
            taken += piece.width
        }
        if lines.count > 1, lines.last == "" { lines.removeLast() }
        return lines.map { truncateMiddle($0, to: width, ellipsis: ellipsis) }
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    private static func total(_ pieces: [CellPiece]) -> Int { pieces.reduce(0) { $0 + $1.width } }

    private static func head(_ pieces: some Sequence<CellPiece>, _ width: Int) -> String {
        var room = width
        return String(
            String.UnicodeScalarView(
                pieces.prefix { piece in
                    room -= piece.width
                    return room >= 0
                }.flatMap(\.character.unicodeScalars)))
    }

    private static func tail(_ pieces: [CellPiece], _ width: Int) -> String {
        var room = width
        let kept = pieces.reversed().prefix { piece in
            room -= piece.width
            return room >= 0
        }
        return String(String.UnicodeScalarView(kept.reversed().flatMap(\.character.unicodeScalars)))
    }

    /// Returns the width of an extension such as `.jpg`: at most eight cells, after the first character.
    private static func fileExtensionWidth(_ pieces: [CellPiece]) -> Int {
        guard let dot = pieces.lastIndex(where: { $0.character == "." }), dot > 0 else { return 0 }
        let width = total(Array(pieces[dot...]))
        return width <= 8 ? width : 0
    }
}

/// The number of terminal cells that text takes: 0, 1 or 2 for a scalar, the sum of its scalars for a longer text.
///
/// Marks, controls, format characters and the joining halves of Hangul take none, East Asian wide characters take two,
/// everything else takes one, including ambiguous characters. A variation selector that turns an emoji into a picture
/// makes it two cells wide.
package enum CellWidth {
    /// Returns the cells of one grapheme, at most 2.
    package static func of(_ character: Character) -> Int { min(2, sum(of: character)) }

    /// Returns the cells of a text.
    ///
    /// Complexity: O(scalars).
    package static func of(_ text: String) -> Int {
        text.reduce(into: 0) { $0 += sum(of: $1) }
    }

    /// Returns the cells of one scalar on its own.
    package static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x7F { return scalar.value < 0x20 ? 0 : 1 }
        if isZeroWidth(scalar) { return 0 }
        return isWide(scalar) ? 2 : 1
    }

    /// Returns the cells of a grapheme in a terminal that counts scalars; more than 2 for some Indic syllables.
    fileprivate static func sum(of character: Character) -> Int {
        var total = 0
        var previous: Unicode.Scalar?
        for scalar in character.unicodeScalars {
            let isPicture = scalar.value == 0xFE0F && previous?.properties.isEmoji == true
            total += isPicture && total == 1 ? 1 : of(scalar)
            previous = scalar
        }
        return total
    }

    private static func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool {
        if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) { return true }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
            return true
        default: return scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Complexity: O(log ranges).
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x1100 else { return false }
        let index = wideRanges.partitioningIndex { $0.upperBound >= scalar.value }
        return index < wideRanges.count && wideRanges[index].contains(scalar.value)
    }

    /// East Asian Width W or F, with gaps of unassigned scalars closed.
    ///
    /// Source: EastAsianWidth.txt of Unicode 15.1, condensed. It lists emoji with picture presentation as W.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
        0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1,
        0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA,
        0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B,
        0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
        0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E,
        0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAD9,
        0xFE10...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF,
        0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C,
        0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4,
        0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E,
        0x1F550...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F,
        0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6DF, 0x1F6EB...0x1F6EC,
        0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF,
        0x1FA70...0x1FAF8, 0x20000...0x323AF,
    ]
}

extension Array {
    /// Returns the first index whose element belongs to the second part of a partitioned array.
    ///
    /// Complexity: O(log n).
    package func partitioningIndex(where belongsInSecondPart: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongsInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// A part of a text that fills one cell or two; the pieces joined are the text again.
///
/// A grapheme is one piece, except where a terminal would count more than two cells for it: then each scalar that
/// takes a cell starts a piece of its own.
package struct CellPiece: Equatable {
    package let character: Character
    package let width: Int

    /// Splits a text into pieces; drops zero-width graphemes.
    ///
    /// Complexity: O(scalars).
    package static func pieces(of text: String) -> [CellPiece] {
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
