/// Functions that fit text into a number of cells; results are at most that wide, those of `pad` exactly.
package enum Fitting {
    /// The position of padded text.
    package enum Alignment: Sendable {
        case leading, trailing
    }

    /// Returns as much of the start as fits.
    static func clip(_ text: String, to width: Int) -> String {
        head(CellPiece.pieces(of: text), width)
    }

    /// Returns as much of the end as fits.
    static func suffix(_ text: String, to width: Int) -> String {
        tail(CellPiece.pieces(of: text), width)
    }

    /// Returns the text, cut at its end with an ellipsis if it is too wide.
    static func truncate(_ text: String, to width: Int, ellipsis: String = "…") -> String {
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
    static func wrap(_ text: String, to width: Int, limit: Int, ellipsis: String = "…") -> [String] {
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
    static func fold(_ text: String, to width: Int, limit: Int, ellipsis: String = "…") -> [String] {
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
