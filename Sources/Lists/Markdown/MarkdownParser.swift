/// Parser of Markdown: the references of its lines, read by ``MarkdownEntry``, and the pictures of HTML in it.
///
/// Ignores other text, and code in paragraphs and in blocks, which has examples.
struct MarkdownParser: LineListParser {
    var splitter = LineSplitter()
    private var page: PageParser
    private let entry: MarkdownEntry
    private var blocks = MarkdownBlocks()
    /// The lines of a paragraph since one whose backticks later lines may close.
    private var open: [(number: Int, text: String)] = []
    /// The maximum number of open lines.
    private static let openLimit = 256

    init(base: ListBase) {
        page = PageParser(base: base)
        entry = MarkdownEntry(base: base)
    }

    var emptyReason: String? { "the text contains no pictures" }

    mutating func read(_ line: ListLine, into events: inout [ListEvent]) {
        switch line.content {
        case .failure(let error):
            readOpenLines(into: &events)
            events.append(.rejected(line: line.number, reason: error.rawValue))
            readHTML("", into: &events)
        case .success(let text):
            let kind = blocks.read(text)
            if kind != .continuation || open.count == Self.openLimit { readOpenLines(into: &events) }
            switch kind {
            case .code: readHTML("", into: &events)
            case .html: readHTML(text, into: &events)
            case .text, .continuation:
                guard !open.isEmpty || text.utf8.contains(UInt8(ascii: "`")) else {
                    return read(text, html: text, line.number, into: &events)
                }
                open.append((line.number, text))
                if open.count == 1, !MarkdownCode(text).isOpen { readOpenLines(into: &events) }
            }
        }
    }

    mutating func finish(isTruncated: Bool, into events: inout [ListEvent]) {
        if !isTruncated, let line = splitter.finish() { read(line, into: &events) }
        readOpenLines(into: &events)
    }

    private mutating func readOpenLines(into events: inout [ListEvent]) {
        guard !open.isEmpty else { return }
        let code = MarkdownCode(open.map(\.text).joined(separator: "\n"))
        for (line, (text, html)) in zip(open, zip(code.lines(withoutLong: true), code.lines(withoutLong: false))) {
            read(text, html: html, line.number, into: &events)
        }
        open = []
    }

    private mutating func read(_ text: String, html: String, _ number: Int, into events: inout [ListEvent]) {
        entry.read(MarkdownLine(text[...]), number: number, into: &events)
        readHTML(html, into: &events)
    }

    /// Feeds the line to the HTML parser, which must see every line to count them.
    private mutating func readHTML(_ text: String, into events: inout [ListEvent]) {
        var found: [ListEvent] = []
        page.feed(Array(text.utf8) + [UInt8(ascii: "\n")], into: &found)
        events += found.filter { if case .entry = $0 { true } else { false } }
    }

    /// The maximum number of lines that decide whether a text is Markdown.
    private static let sampleSize = 64

    /// Detects Markdown by its first lines: a line of Markdown must precede the first location of plain text.
    ///
    /// - Parameter isComplete: Whether no more bytes follow.
    static func detect(in bytes: ArraySlice<UInt8>, isComplete: Bool) -> ListFormat.Detection {
        var rest = bytes
        for _ in 0..<sampleSize {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            guard end < rest.endIndex || isComplete, !rest.isEmpty else { return isComplete ? .notFound : .undecided }
            let text = String(decoding: rest[..<end], as: UTF8.self)
            if MarkdownLine(text[...]).isMarkdown { return .found(.markdown) }
            if isLocation(text.trimmed) { return .notFound }
            rest = rest[end...].dropFirst()
        }
        return .notFound
    }

    /// Returns whether a line is an address or may be a path.
    private static func isLocation(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first != UInt8(ascii: "#") else { return false }
        if first == UInt8(ascii: "/") || URLParts(PlainAddress.enclosed(text) ?? text)?.authority != nil { return true }
        if PictureFileDetector.isPicture(name: String(text)) { return true }
        return !text.utf8.contains(where: \.isBlank)
            && text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
    }
}

/// Reads entries from a line of Markdown: its images, its links to pictures, or the address or path that is the whole
/// line.
struct MarkdownEntry {
    let base: ListBase
    private let reference: PageReference

    init(base: ListBase) {
        self.base = base
        reference = PageReference(base: base)
    }

    func read(_ line: MarkdownLine, number: Int, into events: inout [ListEvent]) {
        let text = Self.withoutBackticks(line.content)
        if isLocation(line, text), let location = try? base.location(plain: text) {
            return events.append(.entry(ListEntry(line: number, location: location)))
        }
        for found in line.references where found.isImage || Self.leadsToPicture(found) {
            events.append(String(found.target), line: number, title: found.title, resolve: reference.location)
        }
    }

    /// Returns whether the line is only an address or a path, as in plain text.
    private func isLocation(_ line: MarkdownLine, _ text: Substring) -> Bool {
        if PlainAddress.isWeb(PlainAddress.enclosed(text) ?? text) { return true }
        return line.references.isEmpty && PictureFileDetector.isPicture(name: String(text))
            && (line.isListItem || !text.utf8.contains(UInt8(ascii: " ")))
    }

    /// Returns what stands between two backticks that enclose a line.
    private static func withoutBackticks(_ text: Substring) -> Substring {
        text.utf8.count > 2 && text.hasPrefix("`") && text.hasSuffix("`") ? text.dropFirst().dropLast() : text
    }

    /// Returns whether a link leads to a picture by its extension.
    ///
    /// A link that is alone in its line may have no extension.
    private static func leadsToPicture(_ found: MarkdownLine.Reference) -> Bool {
        if PictureFileDetector.isPicture(url: found.target) { return true }
        guard found.isAlone, let parts = URLParts(found.target), PlainAddress.isWeb(found.target) else { return false }
        let name = parts.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
        return name?.isEmpty == false && name?.contains(UInt8(ascii: ".")) == false
    }
}

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
    /// The ends of the code spans by their beginnings, in bytes of the content.
    private var code: [Int: Int] = [:]

    init(_ line: Substring) {
        (content, isListItem) = Self.content(of: line.trimmed)
        if let definition = Self.definition(content) {
            references = [definition]
            firstLength = content.utf8.count
            return
        }
        code = MarkdownCode(String(content)).spans
        read(content)
        let isAlone = references.count == 1 && firstLength == content.utf8.count
        if isAlone { references[0].isAlone = true }
    }

    /// Whether the line is Markdown and not plain text: it begins with a link or an image, or has a bullet before an
    /// address.
    var isMarkdown: Bool {
        guard let target = references.first?.target else { return false }
        if firstLength > 0, content.hasPrefix("![") || content.hasPrefix("[") {
            return PlainAddress.isWeb(target) || PictureFileDetector.isPicture(url: target)
        }
        return isListItem && PlainAddress.isWeb(PlainAddress.enclosed(content) ?? content)
    }

    static func content(of line: Substring) -> (Substring, isListItem: Bool) {
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
        guard text.utf8.first == bracket, let end = closing(of: bracket, endBracket, in: text),
            text[end...].hasPrefix("]:")
        else { return nil }
        return destination(text[end...].dropFirst(2).trimmed)
    }

    private static let bracket = UInt8(ascii: "[")
    private static let endBracket = UInt8(ascii: "]")
    private static let open = UInt8(ascii: "<")
    private static let backtick = UInt8(ascii: "`")
    private static let backslash = UInt8(ascii: "\\")
}

// MARK: - Reading

extension MarkdownLine {
    private mutating func read(_ text: Substring) {
        var rest = text.utf8
        while let first = rest.first, references.count < Self.limit {
            let start = rest.startIndex
            if Self.marks.contains(first), let (found, tail) = readReference(Substring(rest)) {
                references.append(found)
                rest = tail.utf8
                if start == content.startIndex { firstLength = content[..<tail.startIndex].utf8.count }
            } else if first == Self.backtick {
                let place = content.utf8.distance(from: content.startIndex, to: start)
                rest = rest.dropFirst(code[place].map { $0 - place } ?? rest.prefix { $0 == Self.backtick }.count)
            } else {
                rest = rest.dropFirst(first == Self.backslash ? 2 : 1)
            }
        }
    }

    /// The bytes that may begin a reference.
    private static let marks = Array("![<hH".utf8)

    /// Reads the reference at the beginning of a text; returns it with the rest of the text.
    private mutating func readReference(_ text: Substring) -> (Reference, Substring)? {
        switch text.utf8.first {
        case UInt8(ascii: "!"): return text.hasPrefix("![") ? readLink(text.dropFirst(bytes: 1), isImage: true) : nil
        case Self.bracket: return readLink(text, isImage: false)
        case Self.open:
            guard misses < Self.missLimit, Self.isWeb(text.utf8.dropFirst()) else { return nil }
            misses += 1
            guard let end = text.utf8.firstIndex(of: UInt8(ascii: ">")) else { return nil }
            misses -= 1
            return (Reference(target: text[..<end].dropFirst(bytes: 1)), text[end...].dropFirst(bytes: 1))
        case UInt8(ascii: "h"), UInt8(ascii: "H"):
            guard Self.isWeb(text.utf8) else { return nil }
            var target = text.utf8.prefix { !$0.isBlank && $0 != Self.open }
            while let last = target.last, Self.punctuation.contains(last) { target.removeLast() }
            return (Reference(target: Substring(target)), text[target.endIndex...])
        default: return nil
        }
    }

    /// The punctuation that is not a part of an address at its end.
    private static let punctuation = Array(".,:;!?'\"*_~)]|`".utf8)

    /// Reads `[text](address "title")`.
    private mutating func readLink(_ text: Substring, isImage: Bool) -> (Reference, Substring)? {
        guard misses < Self.missLimit else { return nil }
        misses += 1
        guard let middle = Self.closing(of: Self.bracket, Self.endBracket, in: text) else { return nil }
        let tail = text[middle...].dropFirst(bytes: 1)
        guard tail.hasPrefix("("), let end = Self.closing(of: UInt8(ascii: "("), UInt8(ascii: ")"), in: tail),
            var found = Self.destination(tail[..<end].dropFirst(bytes: 1).trimmed)
        else { return nil }
        misses -= 1
        let label = text[..<middle].dropFirst(bytes: 1)
        found.isImage = isImage
        // The text of a link may be an image.
        if !found.isImage, label.hasPrefix("![") { read(label) }
        let title = Self.plain(label).trimmed
        if !title.isEmpty, found.isImage || !label.contains("](") { found.title = String(title) }
        if label.hasPrefix("!["), found.title.isEmpty { found.title = references.last?.title ?? "" }
        return (found, tail[end...].dropFirst(bytes: 1))
    }

    /// Returns whether the bytes begin with `http://` or `https://`.
    private static func isWeb(_ bytes: Substring.UTF8View) -> Bool {
        let head = String(decoding: bytes.prefix(8), as: UTF8.self).lowercased()
        return head.hasPrefix("http://") || head == "https://"
    }

    /// Returns the index of the mark that closes the mark at the beginning of the text; pairs may be nested.
    private static func closing(of open: UInt8, _ close: UInt8, in text: Substring) -> Substring.Index? {
        var (depth, isEscaped) = (0, false)
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if !isEscaped, byte == open || byte == close {
                depth += byte == open ? 1 : -1
                if depth == 0 { return index }
            }
            isEscaped = !isEscaped && byte == backslash
        }
        return nil
    }

    /// Reads an address, in angle brackets or not, and the title after it; the address may contain blanks.
    private static func destination(_ text: Substring) -> Reference? {
        var (target, title) = (text, text[text.endIndex...])
        if text.utf8.first == open, let end = text.utf8.firstIndex(of: UInt8(ascii: ">")) {
            (target, title) = (text[..<end].dropFirst(), text[end...].dropFirst(bytes: 1).trimmed)
        } else if let last = text.utf8.last, let mark = titleMarks[last] {
            var previous: UInt8 = 0
            let start = text.utf8.indices.first { index in
                defer { previous = text.utf8[index] }
                return text.utf8[index] == mark && previous.isBlank
            }
            if let start { (target, title) = (text[..<start].trimmed, text[start...]) }
        }
        guard !target.isEmpty else { return nil }
        return Reference(target: plain(target), title: String(plain(title.dropFirst().dropLast()).trimmed))
    }

    /// The opening marks of titles by their closing marks.
    private static let titleMarks: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "'"): UInt8(ascii: "'"),
        UInt8(ascii: ")"): UInt8(ascii: "("),
    ]

    /// Returns the text without backslashes before punctuation (CommonMark, 2.4), and with character references
    /// resolved.
    private static func plain(_ text: Substring) -> Substring {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        guard rest.contains(backslash) || rest.contains(UInt8(ascii: "&")) else { return text }
        while let byte = rest.popFirst() {
            if byte == backslash, let next = rest.first, (0x21...0x7E).contains(next), !next.isASCIILetter,
                !next.isDigit
            {
                continue
            }
            bytes.append(byte)
        }
        return MarkupReference.resolve(String(decoding: bytes, as: UTF8.self))[...]
    }
}
