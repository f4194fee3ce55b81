/// The references in a line of Markdown (CommonMark, 6.3 to 6.5), in the order of the text.
struct MarkdownLine {
    struct Reference: Hashable {
        var target: Substring
        var title = ""
        var isImage = false
        /// Whether its line or list item holds nothing else.
        var isAlone = false
    }

    private(set) var references: [Reference] = []
    /// The line without block quote marks, bullets and check boxes.
    let content: Substring
    let isListItem: Bool

    /// The maximum number of references in a line.
    private static let limit = 1024
    /// The number of marks so far that begin nothing.
    ///
    /// Beyond the limit, marks are ignored, so that a line of nothing but marks takes little time.
    private var misses = 0
    private static let missLimit = 32
    /// The length in bytes of a reference at the beginning of the line; 0 if there is none.
    private var firstLength = 0

    init(_ line: Substring) {
        (content, isListItem) = Self.content(of: line.trimmed)
        if let definition = Self.definition(content) {
            references = [definition]
            firstLength = content.utf8.count
            return
        }
        read(content)
        let isAlone = references.count == 1 && firstLength == content.utf8.count
        if isAlone { references[0].isAlone = true }
    }

    /// Whether the line is Markdown and not plain text: it begins with a link or an image, or has a bullet before an
    /// address.
    var isMarkdown: Bool {
        guard let target = references.first?.target else { return false }
        if firstLength > 0, content.hasPrefix("![") || content.hasPrefix("[") {
            return PlainAddress.isWeb(target) || PictureType.isPicture(url: target)
        }
        return isListItem && PlainAddress.isWeb(PlainAddress.enclosed(content) ?? content)
    }

    private static func content(of line: Substring) -> (Substring, isListItem: Bool) {
        var (rest, isListItem) = (line, false)
        while let first = rest.utf8.first {
            if first == UInt8(ascii: ">") {
                rest = Substring(rest.utf8.dropFirst()).trimmed
            } else if let behind = PlainAddress.afterBullet(rest) {
                (rest, isListItem) = (behind, true)
            } else {
                break
            }
        }
        for box in ["[ ] ", "[x] ", "[X] "] where isListItem && rest.hasPrefix(box) { rest = rest.dropFirst(4).trimmed }
        return (rest, isListItem)
    }

    /// Reads a definition, `[name]: address "title"`.
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
        var index = bytes.startIndex
        while index < bytes.endIndex, references.count < Self.limit {
            switch bytes[index] {
            case Self.backslash: index = bytes.index(index, offsetBy: 2, limitedBy: bytes.endIndex) ?? bytes.endIndex
            case UInt8(ascii: "!") where text[index...].hasPrefix("!["):
                index = readLink(at: index, in: text, isImage: true)
            case Self.bracket: index = readLink(at: index, in: text)
            case Self.open: index = readEnclosed(at: index, in: text)
            case UInt8(ascii: "h"), UInt8(ascii: "H"): index = readBare(at: index, in: text)
            default: index = bytes.index(after: index)
            }
        }
    }

    /// Reads `[text](address "title")`, an image if `!` precedes it; returns where to continue.
    private mutating func readLink(
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
        // The text of a link may be an image.
        if !found.isImage, label.hasPrefix("![") { read(label) }
        let title = Self.plain(label).trimmed
        if !title.isEmpty, found.isImage || !label.contains("](") { found.title = String(title) }
        if label.hasPrefix("!["), found.title.isEmpty { found.title = references.last?.title ?? "" }
        return add(found, from: first, to: bytes.index(after: end), in: text)
    }

    /// Reads `<address>`; returns where to continue.
    private mutating func readEnclosed(at start: Substring.Index, in text: Substring) -> Substring.Index {
        let next = text.utf8.index(after: start)
        guard Self.isWeb(text.utf8[next...]), misses < Self.missLimit else { return next }
        misses += 1
        guard let end = text.utf8[next...].firstIndex(of: UInt8(ascii: ">")) else { return next }
        misses -= 1
        return add(Reference(target: text[next..<end]), from: start, to: text.utf8.index(after: end), in: text)
    }

    /// Reads an address without marks, up to a blank and without punctuation at its end; returns where to continue.
    private mutating func readBare(at start: Substring.Index, in text: Substring) -> Substring.Index {
        guard Self.isWeb(text.utf8[start...]) else { return text.utf8.index(after: start) }
        var target = text.utf8[start...].prefix { !$0.isBlank && $0 != Self.open }
        while let last = target.last, Self.punctuation.contains(last) { target.removeLast() }
        return add(Reference(target: Substring(target)), from: start, to: target.endIndex, in: text)
    }

    private static let punctuation = Array(".,:;!?'\"*_~)]|`".utf8)

    /// Returns whether the bytes begin with `http://` or `https://`.
    private static func isWeb(_ bytes: Substring.UTF8View) -> Bool {
        let head = String(decoding: bytes.prefix(8), as: UTF8.self).lowercased()
        return head.hasPrefix("http://") || head == "https://"
    }

    private mutating func add(
        _ found: Reference, from start: Substring.Index, to end: Substring.Index, in text: Substring
    ) -> Substring.Index {
        references.append(found)
        if start == content.startIndex { firstLength = content.utf8.distance(from: start, to: end) }
        return end
    }

    /// Returns the index of the mark that closes the one at `start`; pairs may be nested.
    private static func closing(
        of start: Substring.Index, in text: Substring, _ open: UInt8, _ close: UInt8
    ) -> Substring.Index? {
        let bytes = text.utf8
        var (depth, index) = (0, start)
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == open { depth += 1 }
            if byte == close { depth -= 1 }
            if depth == 0 { return index }
            let step = byte == backslash ? 2 : 1
            index = bytes.index(index, offsetBy: step, limitedBy: bytes.endIndex) ?? bytes.endIndex
        }
        return nil
    }

    /// Reads an address, in angle brackets or not, and the title behind it.
    ///
    /// The address may contain blanks.
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

    private static func isTitle(_ text: Substring, at index: Substring.Index, _ mark: UInt8) -> Bool {
        index > text.startIndex && text.utf8[index] == mark && text.utf8[text.utf8.index(before: index)].isBlank
    }

    /// Returns the text without backslashes before punctuation, and with character references resolved.
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
    /// Whether a backslash may escape the ASCII character (CommonMark, 2.4).
    fileprivate var isPunctuation: Bool {
        switch generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .decimalNumber, .control, .spaceSeparator: false
        default: true
        }
    }
}
