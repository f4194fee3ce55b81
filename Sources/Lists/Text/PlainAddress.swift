/// Extraction of the address or path from a field of plain text: removes bullets, quotes, angle brackets and comments.
enum PlainAddress {
    /// Returns the address.
    ///
    /// - Parameter isWeb: Whether a relative path belongs to a web address.
    /// - Throws: If a blank may begin something else than a part of the address.
    static func text(of field: Substring, isWeb: Bool = false) throws(LocationError) -> Substring {
        if isBare(field) { return field }
        if let inner = enclosed(field) { return inner }
        let text = withoutComment(field)
        if let inner = enclosed(text) { return inner }
        if Self.isWeb(text) || isWeb && URLParts(text) == nil { try checkBlanks(text) }
        return text
    }

    /// Returns whether the field has neither marks nor blanks around it: true of most fields, and fast.
    static func isBare(_ field: Substring) -> Bool {
        guard let first = field.utf8.first, closingMark(of: first) == nil else { return false }
        let isSimple: (UnsafeBufferPointer<UInt8>) -> Bool = { !$0.contains { $0 == 0x20 || $0 >= 0x80 } }
        return field.utf8.withContiguousStorageIfAvailable(isSimple) ?? false
    }

    static func isWeb(_ field: Substring) -> Bool {
        ["http", "https"].contains(URLParts(field)?.scheme.lowercased())
    }

    /// Returns the line without the bullet or number of a list item if a web address follows.
    static func withoutBullet(_ line: Substring) -> Substring {
        guard let rest = afterBullet(line), isWeb(enclosed(rest) ?? rest) else { return line }
        return rest
    }

    /// Returns the text behind the bullet or number of a list item (CommonMark, 5.2); nil if the line has none.
    static func afterBullet(_ line: Substring) -> Substring? {
        guard let first = line.utf8.first else { return nil }
        var rest = line.utf8.dropFirst()
        if first.isDigit {
            rest = rest.drop(while: \.isDigit)
            guard rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ")") else { return nil }
            rest = rest.dropFirst()
        } else if first != UInt8(ascii: "-"), first != UInt8(ascii: "*"), first != UInt8(ascii: "+") {
            return nil
        }
        return rest.first?.isBlank == true ? Substring(rest).trimmed : nil
    }

    private static func closingMark(of mark: UInt8) -> UInt8? {
        switch mark {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): mark
        case UInt8(ascii: "<"): UInt8(ascii: ">")
        default: nil
        }
    }

    /// Returns the web address between quotes or angle brackets (RFC 3986, appendix C).
    static func enclosed(_ text: Substring) -> Substring? {
        guard let first = text.utf8.first, let end = closingMark(of: first), text.utf8.last == end else { return nil }
        let inner = text.dropFirst().dropLast()
        return isWeb(inner) && !inner.utf8.contains(end) ? inner : nil
    }

    /// Removes a comment, which begins with a blank and `#`.
    ///
    /// Behind a path, the name of a picture must precede it and a blank must follow it.
    private static func withoutComment(_ text: Substring) -> Substring {
        let hash = UInt8(ascii: "#")
        guard text.utf8.contains(hash) else { return text }
        let isAddress = URLParts(text) != nil || closingMark(of: text.utf8.first ?? 0) != nil
        var last: UInt8 = 0
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if byte == hash, last.isBlank {
                let before = text[..<index].trimmed
                let next = text.utf8[text.utf8.index(after: index)...].first
                if isAddress || next?.isBlank != false && PictureType.isPicture(name: String(before)) { return before }
            }
            last = byte
        }
        return text
    }

    /// Throws unless all blanks are parts of the address: it has the extension of a picture, and no beginning of it
    /// has.
    private static func checkBlanks(_ text: Substring) throws(LocationError) {
        let blanks = text.unicodeScalars.indices.filter { text.unicodeScalars[$0].properties.isWhitespace }
        guard !blanks.isEmpty else { return }
        for index in blanks where isWeb(text[index...].drop(while: \.isWhitespace)) { throw .secondAddress }
        guard isPicture(text), !blanks.contains(where: { isPicture(text[..<$0]) }) else { throw .space }
    }

    private static func isPicture(_ text: Substring) -> Bool {
        PictureType.isPicture(url: text) || PictureType.isPicture(name: String(text))
    }
}
