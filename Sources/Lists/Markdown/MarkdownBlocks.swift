/// The blocks of Markdown, as far as they tell text from code (CommonMark, 4.4 to 4.6 and 5): fences, indented code,
/// comments and code of HTML, and the lines of one paragraph.
struct MarkdownBlocks {
    enum Line: Hashable {
        case code
        /// A comment or code of HTML.
        case html
        /// A line that is blank, or begins a paragraph or another block.
        case text
        /// A line of the paragraph of the line before.
        case continuation
    }

    /// The marks that opened the code block in which the next line is.
    private var fence: Substring?
    /// The end of the open comment or code of HTML.
    private var end: String?
    private static let html = [(begin: "<!--", end: "-->"), (begin: "<pre", end: "</pre>")]
    /// Whether the line before is text of a paragraph, which no indented code interrupts.
    private var isInParagraph = false
    /// The number of block quotes around the line before.
    private var depth = 0
    /// The columns at which the content of the open list items begins, and the block quotes around each.
    private var items: [(column: Int, depth: Int)] = []
    private static let itemLimit = 64

    /// Returns what the next line is.
    mutating func read(_ line: String) -> Line {
        let (content, isListItem) = MarkdownLine.content(of: line.trimmed)
        if fence != nil, isFenced(content) { return .code }
        if end == nil {
            let before = depth
            if isIndentedCode(line, isListItem: isListItem) { return .code }
            if isFenced(content) {
                isInParagraph = false
                return .code
            }
            end = Self.html.first { content.hasPrefix($0.begin) }?.end
            if end == nil {
                let isAlone = content.isEmpty || content.hasPrefix("#") || Self.isRule(content)
                // Each row of a table has code of its own.
                let isFirst = isAlone || isListItem || depth > before || !isInParagraph || content.hasPrefix("|")
                isInParagraph = !isAlone
                return isFirst ? .text : .continuation
            }
        }
        if let mark = end, content.contains(mark) { end = nil }
        return .html
    }

    /// Returns whether a line belongs to a code block between fences (CommonMark, 4.5).
    private mutating func isFenced(_ line: Substring) -> Bool {
        guard let mark = line.utf8.first, "`~".utf8.contains(mark) else { return fence != nil }
        let marks = Substring(line.utf8.prefix { $0 == mark })
        guard marks.utf8.count >= 3 else { return fence != nil }
        if let open = fence {
            if marks.hasPrefix(open), marks.utf8.count == line.utf8.count { fence = nil }
            return true
        }
        // The text behind backticks has none: otherwise it is code in a line.
        guard mark != UInt8(ascii: "`") || !line.utf8.dropFirst(marks.utf8.count).contains(mark) else { return false }
        fence = marks
        return true
    }

    /// Returns whether the text is a line across the page, or marks the line above as a heading.
    private static func isRule(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { $0.isBlank || "=-_*".utf8.contains($0) }
    }
}

// MARK: - Indentation

extension MarkdownBlocks {
    /// Returns whether a line is indented code; enters and leaves block quotes and list items.
    private mutating func isIndentedCode(_ line: String, isListItem: Bool) -> Bool {
        var (column, base, quotes) = (0, 0, 0)
        var rest = line.utf8[...]
        while let byte = rest.first, byte.isBlank || byte == UInt8(ascii: ">") {
            if byte == UInt8(ascii: ">") {
                if isCode(at: column, base, quotes) { return true }
                (base, quotes) = (column + 2, quotes + 1)
            }
            column = byte == UInt8(ascii: "\t") ? (column / 4 + 1) * 4 : column + 1
            rest.removeFirst()
        }
        // A block quote ends a paragraph, but a paragraph may go on without the marks.
        if quotes > depth || rest.isEmpty { isInParagraph = false }
        if quotes > depth || !isInParagraph { depth = quotes }
        if rest.isEmpty { return false }
        if !isInParagraph { items.removeAll { $0.depth > quotes } }
        if isCode(at: column, base, quotes) { return true }
        let text = Substring(rest)
        if isListItem, !Self.isRule(text) || text.utf8.count < 3 { beginItems(text, at: column, quotes) }
        // Python's Markdown has more blocks whose content is indented by four columns.
        let isContainer = ["!!! ", "???", "=== \"", "[^", ":   "].contains { text.hasPrefix($0) }
        if isContainer || ["-", "*", "+"].contains(text) { begin((column + (isContainer ? 4 : 2), quotes)) }
        return false
    }

    /// Leaves the list items that do not contain a line, and returns whether it is code in the others.
    private mutating func isCode(at column: Int, _ base: Int, _ quotes: Int) -> Bool {
        if isInParagraph { return false }
        items.removeAll { $0.depth == quotes && $0.column > column }
        return column - max(base, items.last { $0.depth == quotes }?.column ?? 0) >= 4
    }

    /// Enters the list items that a line begins.
    private mutating func beginItems(_ line: Substring, at start: Int, _ quotes: Int) {
        items.removeAll { $0.depth == quotes && $0.column > start }
        var (rest, column) = (line, start)
        while items.count < Self.itemLimit, let behind = PlainAddress.afterBullet(rest) {
            let mark = rest.utf8.prefix { !$0.isBlank }.count
            let width = rest.utf8.distance(from: rest.startIndex, to: behind.startIndex)
            // Text behind more blanks is code in the item.
            column += width > mark + 4 ? mark + 1 : width
            begin((column, quotes))
            rest = behind
        }
    }

    private mutating func begin(_ item: (column: Int, depth: Int)) {
        if items.count < Self.itemLimit { items.append(item) }
    }
}

/// The code spans of a line or a paragraph (CommonMark, 6.1).
struct MarkdownCode {
    private let bytes: [UInt8]
    /// The ends of the spans by their beginnings, backticks included, in bytes.
    private(set) var spans: [Int: Int] = [:]
    /// Whether backticks begin code that later lines may end.
    private(set) var isOpen = false

    private static let backtick = UInt8(ascii: "`")
    private static let lineEnd = UInt8(ascii: "\n")

    init(_ text: String) {
        bytes = Array(text.utf8)
        // The last place of backticks of each length.
        var last: [Int: Int] = [:]
        var place = 0
        while let run = run(from: place) { (last[run.count], place) = (run.lowerBound, run.upperBound) }
        // Most lines have no code.
        place = last.isEmpty ? bytes.count : 0
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\\"): place += 2
            case UInt8(ascii: "<"): place = endOfTag(at: place) ?? place + 1
            case Self.backtick:
                guard let first = run(from: place) else { return }
                place = first.upperBound
                guard let end = last[first.count], end >= place else {
                    isOpen = true
                    continue
                }
                while let next = run(from: place) {
                    place = next.upperBound
                    if next.count == first.count { break }
                }
                spans[first.lowerBound] = place
            default: place += 1
            }
        }
    }

    /// Returns the lines with blanks in place of code.
    ///
    /// - Parameter isLong: Whether only code that goes over several lines is left out.
    func lines(withoutLong isLong: Bool) -> [String] {
        var kept = bytes
        for (start, end) in spans where !isLong || bytes[start..<end].contains(Self.lineEnd) {
            for place in start..<end where kept[place] != Self.lineEnd { kept[place] = UInt8(ascii: " ") }
        }
        return kept.split(separator: Self.lineEnd, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Returns the next backticks.
    private func run(from place: Int) -> Range<Int>? {
        guard let start = bytes[place...].fastIndex(of: Self.backtick) else { return nil }
        return start..<(bytes[start...].firstIndex { $0 != Self.backtick } ?? bytes.endIndex)
    }

    /// Returns the end of a tag of HTML with backticks in quotes, which begin no code.
    private func endOfTag(at start: Int) -> Int? {
        let tag = bytes[(start + 1)...].prefix { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
        guard tag.first?.isASCIILetter == true, tag.endIndex < bytes.count, bytes[tag.endIndex] == UInt8(ascii: ">"),
            let mark = tag.first(where: { "\"'`".utf8.contains($0) }), mark != Self.backtick
        else { return nil }
        return tag.endIndex + 1
    }
}
