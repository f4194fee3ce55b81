/// Reads a Markdown text: what its lines refer to, as a ``MarkdownEntry`` is, and the pictures of the HTML in it.
///
/// Other text means nothing.
struct MarkdownParser: ListParser {
    private var splitter = LineSplitter()
    private var page: PageParser
    private let entry: MarkdownEntry
    private var isEmpty = true

    init(base: ListBase) {
        page = PageParser(base: base)
        entry = MarkdownEntry(base: base)
    }

    var line: Int { splitter.number }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) {
        for line in splitter.feed(bytes) { read(line, into: &events) }
    }

    mutating func finish(isCut: Bool, into events: inout [ListEvent]) {
        if isCut { return }
        if let line = splitter.finish() { read(line, into: &events) }
        if isEmpty {
            events.append(.rejected(line: max(1, splitter.number), reason: "the text ends and names no picture"))
        }
    }

    private mutating func read(_ line: ListLine, into events: inout [ListEvent]) {
        switch line.content {
        case .failure(let fault):
            events.append(.rejected(line: line.number, reason: fault.rawValue))
            readPage("", into: &events)
        case .success(let text):
            entry.read(MarkdownLine(text[...]), number: line.number, into: &events)
            readPage(text, into: &events)
        }
        if !events.isEmpty { isEmpty = false }
    }

    /// Every line is passed on, so that the lines of tags are counted right.
    private mutating func readPage(_ text: String, into events: inout [ListEvent]) {
        var found: [ListEvent] = []
        page.feed(Array(text.utf8) + [UInt8(ascii: "\n")], into: &found)
        events += found.filter { if case .entry = $0 { true } else { false } }
    }
}

extension MarkdownParser {
    /// What the lines of a text tell, from its first that says something.
    enum Finding {
        case markdown, noMarkdown
        /// More lines may tell.
        case undecided
    }

    /// So many lines are looked at.
    private static let sample = 64

    /// Looks for a line of Markdown above the first that is a place of plain text.
    ///
    /// `isWhole` says that no more bytes come.
    static func find(in bytes: ArraySlice<UInt8>, isWhole: Bool) -> Finding {
        var rest = bytes
        for _ in 0..<sample {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            guard end < rest.endIndex || isWhole, !rest.isEmpty else { break }
            let text = String(decoding: rest[..<end], as: UTF8.self)
            if MarkdownLine(text[...]).isMarkdown { return .markdown }
            if isPlace(text.trimmed) { return .noMarkdown }
            rest = rest[end...].dropFirst()
        }
        return isWhole || bytes.split(separator: UInt8(ascii: "\n"), maxSplits: sample).count > sample
            ? .noMarkdown : .undecided
    }

    /// Whether a line is an address or may be a path.
    private static func isPlace(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first != UInt8(ascii: "#") else { return false }
        if first == UInt8(ascii: "/") || URLParts(PlainAddress.enclosed(text) ?? text)?.authority != nil { return true }
        if PictureType.isPicture(name: String(text)) { return true }
        return !text.utf8.contains(where: \.isBlank)
            && text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
    }
}
