/// What kind of list the first bytes belong to.
enum ListFormat: Hashable {
    case plainText
    case jsonLines
    /// One array over any number of lines.
    case jsonArray
    /// One object, or one behind another, over any number of lines.
    case jsonObjects
    case table(TableShape)
    case page
    case markdown
    case sitemap
    /// RSS or Atom.
    case feed
    /// Not a list, and why.
    case none(String)

    /// How many bytes ``recognise(_:isWhole:)`` looks at, at most.
    static let sample = 64 * 1024

    /// Nil when more bytes are needed to tell; `isWhole` says that there are none.
    ///
    /// The first line that is neither blank nor a comment decides, and those after it where that may be a table's header.
    /// `isTable` and `isMarkdown` say that its name is that of one.
    static func recognise(
        _ bytes: [UInt8], isWhole: Bool, isTable: Bool = false, isMarkdown: Bool = false
    ) -> ListFormat? {
        let isEnough = isWhole || bytes.count >= sample
        guard isEnough || bytes.count >= 16 else { return nil }
        let start = bytes.prefix(4096)
        if PictureType.isPicture(beginning: start) && !isText(start) { return .none("it is a picture") }
        if isParquet(start) { return .none(parquet) }
        for (signature, reason) in foreign where start.starts(with: signature) { return .none(reason) }
        guard isText(start) else { return .none("it holds binary data") }
        if isMarkdown { return .markdown }
        guard let line = firstLine(of: bytes[...]) else { return isEnough ? .plainText : nil }
        if line.text.first == UInt8(ascii: "<"), !isText(line: line.text) { return markup(bytes, isEnough) }
        guard line.isWhole || isEnough else { return nil }
        if line.text.first == UInt8(ascii: "{") { return json(line, in: bytes, isEnough) }
        if let format = format(of: line.text, isTable: isTable) { return format }
        switch TableShape.find(in: bytes[line.start...], isWhole: isEnough) {
        case .table(let shape): return .table(shape)
        case .undecided: return nil
        case .noTable: break
        }
        switch MarkdownParser.find(in: bytes[line.start...], isWhole: isEnough) {
        case .markdown: return .markdown
        case .noMarkdown: return .plainText
        case .undecided: return nil
        }
    }

    private static let foreign: [([UInt8], String)] = [
        (GzipStream.signature, "it is compressed with gzip twice"), (Array("%PDF-".utf8), "it is a PDF document"),
        (Array("PK\u{3}\u{4}".utf8), "it is a ZIP archive"), ([0x7F, 0x45, 0x4C, 0x46], "it is a program"),
        (Array("SQLite format 3".utf8), "it is an SQLite database"), (Array("BZh".utf8), "it is compressed with bzip2"),
        ([0x28, 0xB5, 0x2F, 0xFD], "it is compressed with zstd"),
        ([0xFD, 0x37, 0x7A, 0x58], "it is compressed with xz"), (Array("ARROW1\0\0".utf8), "it is an Arrow file"),
    ]

    /// Its mark, behind which no text goes on: so may a list begin, as `PAR1/1.jpg`.
    private static func isParquet(_ start: ArraySlice<UInt8>) -> Bool {
        guard start.starts(with: "PAR1".utf8) || start.starts(with: "PARE".utf8) else { return false }
        return start.dropFirst(4).first.map { ($0 < 0x20 && !$0.isBlank) || $0 >= 0x80 } ?? false
    }

    private static let parquet = """
        it is a Parquet file: convert it to CSV or JSON Lines first, e.g. duckdb -c "COPY (SELECT url FROM \
        'x.parquet') TO 'x.csv'"
        """

    /// An address in angle brackets, or a caption that begins with one and has its address behind a TAB.
    private static func isText(line: ArraySlice<UInt8>) -> Bool {
        let fields = line.split(separator: UInt8(ascii: "\t")).map { trim($0) }
        return fields.dropFirst().contains { $0.starts(with: "http".utf8) }
            || line.dropFirst().starts(with: "http".utf8)
    }

    /// Text has few control bytes; one stray NUL is a bad line, not a bad file.
    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        let odd = bytes.count { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) }
        return odd * 10 <= bytes.count
    }

    private struct Line {
        /// Without the blanks around it.
        let text: ArraySlice<UInt8>
        /// Whether its end is there.
        let isWhole: Bool
        /// Where it begins, blanks and all.
        let start: Int
    }

    /// The first line that says something.
    private static func firstLine(of bytes: ArraySlice<UInt8>) -> Line? {
        var rest = bytes
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let text = trim(rest[..<end])
            if let first = text.first, first != UInt8(ascii: "#") {
                return Line(text: text, isWhole: end < rest.endIndex, start: rest.startIndex)
            }
            rest = rest[end...].dropFirst()
        }
        return nil
    }

    private static func trim(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 <= 0x20 && $0 != 0 }
        let start = bytes.drop(while: isBlank)
        return start.prefix((start.lastIndex { !isBlank($0) } ?? start.startIndex - 1) - start.startIndex + 1)
    }

    /// Nil for what may be plain text, or a table whose header does not say so.
    private static func format(of line: ArraySlice<UInt8>, isTable: Bool) -> ListFormat? {
        if MarkdownLine(String(decoding: line, as: UTF8.self)[...]).isMarkdown { return .markdown }
        let second = line.dropFirst().first { $0 > 0x20 } ?? 0
        switch line.first {
        case UInt8(ascii: "[") where line.count == 1 || "{\"[]".utf8.contains(second): return .jsonArray
        default: return (TableShape(header: line) ?? TableShape(record: line, isTable: isTable)).map(ListFormat.table)
        }
    }

    private static func json(_ line: Line, in bytes: [UInt8], _ isEnough: Bool) -> ListFormat? {
        let next = line.isWhole ? bytes[line.text.endIndex...].drop { $0 != UInt8(ascii: "\n") }.dropFirst() : []
        let goesOn = JSONObjectsParser.goesOn(line.text, before: next, isWhole: isEnough)
        return goesOn.map { $0 ? .jsonObjects : .jsonLines }
    }

    /// Tells by the root: a sitemap, a feed, another kind of XML, or a page.
    private static func markup(_ bytes: [UInt8], _ isEnough: Bool) -> ListFormat? {
        var scanner = MarkupScanner(dialect: .xml)
        let root = scanner.feed(bytes).lazy.compactMap { token in
            if case .open(let tag) = token.content { tag.localName } else { nil }
        }.first
        guard let root else { return isEnough ? .page : nil }
        if root == "urlset" || root == "sitemapindex" { return .sitemap }
        if ["rss", "feed", "rdf"].contains(root) { return .feed }
        if root == "svg" { return .none("it is an SVG picture") }
        let isXML = trim(bytes[...]).starts(with: "<?xml".utf8)
        return isXML && root != "html" ? .none("it is XML, but neither a sitemap nor a feed") : .page
    }
}
