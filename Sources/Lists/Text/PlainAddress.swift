/// The address or path in a field of plain text, without what people write around it: bullets, quotes, angle brackets
/// and comments.
enum PlainAddress {
    /// The address; throws where a blank may begin something else.
    ///
    /// `isWeb` says that a relative path is a part of a web address.
    static func text(of field: Substring, isWeb: Bool = false) throws(LocationFault) -> Substring {
        if isBare(field) { return field }
        if let inner = enclosed(field) { return inner }
        let whole = withoutComment(field)
        if let inner = enclosed(whole) { return inner }
        if isWeb ? URLParts(whole) == nil || Self.isWeb(whole) : Self.isWeb(whole) { try checkBlanks(whole) }
        return whole
    }

    /// Whether nothing can stand around it: true of most fields, and fast.
    static func isBare(_ field: Substring) -> Bool {
        guard let first = field.utf8.first, !isMark(first) else { return false }
        let isSimple: (UnsafeBufferPointer<UInt8>) -> Bool = { !$0.contains { $0 == space || $0 >= 0x80 } }
        return field.utf8.withContiguousStorageIfAvailable(isSimple) ?? false
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "'")
    }

    static func isWeb(_ field: Substring) -> Bool {
        ["http", "https"].contains(URLParts(field)?.scheme.lowercased())
    }

    /// The line without the bullet or number of a list item, where a web address follows.
    static func withoutBullet(_ line: Substring) -> Substring {
        guard let rest = afterBullet(line), isWeb(enclosed(rest) ?? rest) else { return line }
        return rest
    }

    /// What follows the bullet or number of a list item (CommonMark, 5.2); nil where there is none.
    static func afterBullet(_ line: Substring) -> Substring? {
        guard let first = line.utf8.first else { return nil }
        var rest = line.utf8.dropFirst()
        if isDigit(first) {
            rest = rest.drop(while: isDigit)
            guard rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ")") else { return nil }
            rest = rest.dropFirst()
        } else if first != UInt8(ascii: "-"), first != UInt8(ascii: "*"), first != UInt8(ascii: "+") {
            return nil
        }
        return rest.first?.isBlank == true ? Substring(rest).trimmed : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static let space = UInt8(ascii: " ")

    private static let marks = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "<"): UInt8(ascii: ">"),
        UInt8(ascii: "'"): UInt8(ascii: "'"),
    ]

    /// The web address between quotes or angle brackets (RFC 3986, appendix C).
    static func enclosed(_ text: Substring) -> Substring? {
        guard let first = text.utf8.first, let end = marks[first], text.utf8.last == end else { return nil }
        let inner = text.dropFirst().dropLast()
        return isWeb(inner) && !inner.utf8.contains(end) ? inner : nil
    }

    /// Cuts off what begins with a blank and `#`; behind a path only where a picture's name and `# ` stand so.
    private static func withoutComment(_ text: Substring) -> Substring {
        let hash = UInt8(ascii: "#")
        guard text.utf8.contains(hash) else { return text }
        let isAddress = URLParts(text) != nil || isMark(text.utf8.first ?? 0)
        var last: UInt8 = 0
        for place in text.utf8.indices {
            let byte = text.utf8[place]
            if byte == hash, last.isBlank {
                let before = text[..<place].trimmed
                let next = text.utf8[text.utf8.index(after: place)...].first
                if isAddress || next?.isBlank != false && PictureType.isPicture(name: String(before)) { return before }
            }
            last = byte
        }
        return text
    }

    /// Throws unless the blanks must be the address's own: with them it is called as a picture, and cut at none of them.
    private static func checkBlanks(_ text: Substring) throws(LocationFault) {
        let blanks = text.unicodeScalars.indices.filter { text.unicodeScalars[$0].properties.isWhitespace }
        guard !blanks.isEmpty else { return }
        for place in blanks where isWeb(text[place...].drop(while: \.isWhitespace)) { throw .second }
        guard isPicture(text), !blanks.contains(where: { isPicture(text[..<$0]) }) else { throw .space }
    }

    private static func isPicture(_ text: Substring) -> Bool {
        PageParser.isPicture(String(text)) || PictureType.isPicture(name: String(text))
    }
}
