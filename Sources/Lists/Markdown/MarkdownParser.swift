/// Parser of Markdown: the references of its lines, read by ``MarkdownEntry``, and the pictures of HTML in it.
///
/// Ignores other text.
struct MarkdownParser: ListParser {
    private var splitter = LineSplitter()
    private var page: PageParser
    private let entry: MarkdownEntry

    init(base: ListBase) {
        page = PageParser(base: base)
        entry = MarkdownEntry(base: base)
    }

    var line: Int { splitter.number }
    var emptyReason: String? { "the text contains no pictures" }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) {
        for line in splitter.feed(bytes) { read(line, into: &events) }
    }

    mutating func finish(isTruncated: Bool, into events: inout [ListEvent]) {
        if !isTruncated, let line = splitter.finish() { read(line, into: &events) }
    }

    private mutating func read(_ line: ListLine, into events: inout [ListEvent]) {
        switch line.content {
        case .failure(let error):
            events.append(.rejected(line: line.number, reason: error.rawValue))
            readHTML("", into: &events)
        case .success(let text):
            entry.read(MarkdownLine(text[...]), number: line.number, into: &events)
            readHTML(text, into: &events)
        }
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
        if PictureType.isPicture(name: String(text)) { return true }
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
        if isLocation(line), let location = try? base.location(plain: line.content) {
            return events.append(.entry(ListEntry(line: number, location: location)))
        }
        for found in line.references where found.isImage || Self.leadsToPicture(found) {
            events.append(String(found.target), line: number, title: found.title, resolve: reference.location)
        }
    }

    /// Returns whether the line is only an address or a path, as in plain text.
    private func isLocation(_ line: MarkdownLine) -> Bool {
        let text = line.content
        if PlainAddress.isWeb(PlainAddress.enclosed(text) ?? text) { return true }
        return line.references.isEmpty && PictureType.isPicture(name: String(text))
            && (line.isListItem || !text.utf8.contains(UInt8(ascii: " ")))
    }

    /// Returns whether a link leads to a picture by its extension.
    ///
    /// A link that is alone in its line may have no extension.
    private static func leadsToPicture(_ found: MarkdownLine.Reference) -> Bool {
        if PictureType.isPicture(url: found.target) { return true }
        guard found.isAlone, let parts = URLParts(found.target), PlainAddress.isWeb(found.target) else { return false }
        let name = parts.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
        return name?.isEmpty == false && name?.contains(UInt8(ascii: ".")) == false
    }
}
