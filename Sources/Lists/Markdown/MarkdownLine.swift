/// What one line of Markdown refers to (CommonMark, 6.3 to 6.5), in its order.
struct MarkdownLine {
    struct Reference: Hashable {
        var target: Substring
        var title = ""
        var isImage = false
        /// Whether nothing else stands in its line or list item.
        var isAlone = false
    }

    private(set) var references: [Reference] = []
    /// The line without quotes, bullets and check boxes.
    let content: Substring
    /// Whether the line is a list item.
    let isItem: Bool

    /// So many are read of one line.
    private static let limit = 1024

    init(_ line: Substring) {
        (content, isItem) = Self.content(of: line.trimmed)
        if let definition = Self.definition(content) {
            references = [definition]
            ends = content.utf8.count
            return
        }
        read(content)
        let isAlone = references.count == 1 && ends == content.utf8.count
        if isAlone { references[0].isAlone = true }
    }

    /// Whether the line would be none without its marks: with a link or an image in front, or an address behind a bullet.
    var isMarkdown: Bool {
        guard let target = references.first?.target else { return false }
        if ends > 0, content.hasPrefix("![") || content.hasPrefix("[") {
            return PlainAddress.isWeb(target) || PageParser.isPicture(String(target))
        }
        return isItem && PlainAddress.isWeb(PlainAddress.enclosed(content) ?? content)
    }

    /// Marks that begin nothing; behind so many no more are looked at.
    private var misses = 0
    private static let missLimit = 32

    /// How many bytes the reference at the line's beginning takes; 0 where there is none.
    private var ends = 0

    private static func content(of line: Substring) -> (Substring, isItem: Bool) {
        var (rest, isItem) = (line, false)
        while let first = rest.utf8.first {
            if first == UInt8(ascii: ">") {
                rest = Substring(rest.utf8.dropFirst()).trimmed
            } else if let behind = PlainAddress.afterBullet(rest) {
                (rest, isItem) = (behind, true)
            } else {
                break
            }
        }
        for box in ["[ ] ", "[x] ", "[X] "] where isItem && rest.hasPrefix(box) { rest = rest.dropFirst(4).trimmed }
        return (rest, isItem)
    }

    /// Reads `[name]: address "title"`; nil for other lines.
    private static func definition(_ text: Substring) -> Reference? {
        guard text.utf8.first == bracket, let end = closing(of: text.utf8.startIndex, in: text, bracket, endBracket),
            text[end...].hasPrefix("]:")
        else { return nil }
        return destination(text[end...].dropFirst(2).trimmed)
    }

    private static let bracket = UInt8(ascii: "[")
    private static let endBracket = UInt8(ascii: "]")
    private static let open = UInt8(ascii: "<")
    private static let backslash = UInt8(ascii: "\\")
}

// MARK: - Reading

extension MarkdownLine {
    private mutating func read(_ text: Substring) {
        let bytes = text.utf8
        var place = bytes.startIndex
        while place < bytes.endIndex, references.count < Self.limit {
            switch bytes[place] {
            case Self.backslash: place = bytes.index(place, offsetBy: 2, limitedBy: bytes.endIndex) ?? bytes.endIndex
            case UInt8(ascii: "!") where text[place...].hasPrefix("!["):
                place = link(at: place, in: text, isImage: true)
            case Self.bracket: place = link(at: place, in: text)
            case Self.open: place = enclosed(at: place, in: text)
            case UInt8(ascii: "h"), UInt8(ascii: "H"): place = bare(at: place, in: text)
            default: place = bytes.index(after: place)
            }
        }
    }

    /// Takes `[text](address "title")`, in front of which `!` makes an image; answers where to go on.
    private mutating func link(
        at first: Substring.Index, in text: Substring, isImage: Bool = false
    ) -> Substring.Index {
        let bytes = text.utf8
        let start = isImage ? bytes.index(after: first) : first
        let next = bytes.index(after: start)
        guard misses < Self.missLimit else { return next }
        misses += 1
        guard let middle = Self.closing(of: start, in: text, Self.bracket, Self.endBracket) else { return next }
        let parenthesis = bytes.index(after: middle)
        guard parenthesis < bytes.endIndex, bytes[parenthesis] == UInt8(ascii: "("),
            let end = Self.closing(of: parenthesis, in: text, UInt8(ascii: "("), UInt8(ascii: ")")),
            var found = Self.destination(text[bytes.index(after: parenthesis)..<end].trimmed)
        else { return next }
        let label = text[next..<middle]
        misses -= 1
        found.isImage = isImage
        // An image may be what a link is shown as, but no link.
        if !found.isImage, label.hasPrefix("![") { read(label) }
        let title = Self.plain(label).trimmed
        if !title.isEmpty, found.isImage || !label.contains("](") { found.title = String(title) }
        if label.hasPrefix("!["), found.title.isEmpty { found.title = references.last?.title ?? "" }
        return add(found, from: first, to: bytes.index(after: end), in: text)
    }

    /// Takes `<address>`.
    private mutating func enclosed(at start: Substring.Index, in text: Substring) -> Substring.Index {
        let next = text.utf8.index(after: start)
        guard Self.isWeb(text.utf8[next...]), misses < Self.missLimit else { return next }
        misses += 1
        guard let end = text.utf8[next...].firstIndex(of: UInt8(ascii: ">")) else { return next }
        misses -= 1
        return add(Reference(target: text[next..<end]), from: start, to: text.utf8.index(after: end), in: text)
    }

    /// Takes an address without marks, up to a blank and without the punctuation of its sentence.
    private mutating func bare(at start: Substring.Index, in text: Substring) -> Substring.Index {
        guard Self.isWeb(text.utf8[start...]) else { return text.utf8.index(after: start) }
        var target = text.utf8[start...].prefix { !$0.isBlank && $0 != Self.open }
        while let last = target.last, Self.punctuation.contains(last) { target.removeLast() }
        return add(Reference(target: Substring(target)), from: start, to: target.endIndex, in: text)
    }

    private static let punctuation = Array(".,:;!?'\"*_~)]|`".utf8)

    /// Whether the bytes begin as a web address does.
    private static func isWeb(_ bytes: Substring.UTF8View) -> Bool {
        let head = String(decoding: bytes.prefix(8), as: UTF8.self).lowercased()
        return head.hasPrefix("http://") || head == "https://"
    }

    private mutating func add(
        _ found: Reference, from start: Substring.Index, to end: Substring.Index, in text: Substring
    ) -> Substring.Index {
        references.append(found)
        if start == content.startIndex { ends = content.utf8.distance(from: start, to: end) }
        return end
    }

    /// The mark that closes the one at a place, whatever pairs stand between them; nil where there is none.
    private static func closing(
        of start: Substring.Index, in text: Substring, _ open: UInt8, _ close: UInt8
    ) -> Substring.Index? {
        let bytes = text.utf8
        var (depth, place) = (0, start)
        while place < bytes.endIndex {
            let byte = bytes[place]
            if byte == open { depth += 1 }
            if byte == close { depth -= 1 }
            if depth == 0 { return place }
            let step = byte == backslash ? 2 : 1
            place = bytes.index(place, offsetBy: step, limitedBy: bytes.endIndex) ?? bytes.endIndex
        }
        return nil
    }

    /// An address, in angle brackets or not, and the title behind it; blanks in it are taken for its own.
    private static func destination(_ text: Substring) -> Reference? {
        var (target, title) = (text, text[text.endIndex...])
        if text.utf8.first == open, let end = text.utf8.firstIndex(of: UInt8(ascii: ">")) {
            (target, title) = (text[..<end].dropFirst(), Substring(text.utf8[end...].dropFirst()).trimmed)
        } else if let last = text.utf8.last, let mark = titleMarks[last],
            let start = text.utf8.indices.first(where: { isTitle(text, at: $0, mark) })
        {
            (target, title) = (text[..<start].trimmed, text[start...])
        }
        guard !target.isEmpty else { return nil }
        let plainTitle = plain(title.dropFirst().dropLast()).trimmed
        return Reference(target: plain(target), title: String(plainTitle))
    }

    private static let titleMarks: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "'"): UInt8(ascii: "'"),
        UInt8(ascii: ")"): UInt8(ascii: "("),
    ]

    private static func isTitle(_ text: Substring, at place: Substring.Index, _ mark: UInt8) -> Bool {
        place > text.startIndex && text.utf8[place] == mark && text.utf8[text.utf8.index(before: place)].isBlank
    }

    /// Without backslashes before punctuation, and with references to characters resolved.
    private static func plain(_ text: Substring) -> Substring {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        guard rest.contains(backslash) || rest.contains(UInt8(ascii: "&")) else { return text }
        while let byte = rest.popFirst() {
            if byte == backslash, let next = rest.first, next < 0x80, Unicode.Scalar(next).properties.isPunctuation {
                continue
            }
            bytes.append(byte)
        }
        return MarkupReference.resolve(String(decoding: bytes, as: UTF8.self))[...]
    }
}

extension Unicode.Scalar.Properties {
    /// Whether CommonMark takes it for punctuation, which a backslash may stand before.
    fileprivate var isPunctuation: Bool {
        switch generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .decimalNumber, .control, .spaceSeparator: false
        default: true
        }
    }
}
