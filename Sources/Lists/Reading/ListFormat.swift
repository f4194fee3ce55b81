import Raster

extension ListSource {
    /// The extensions of list files, which `.gz` may follow; a web page of pictures is a list, too.
    package static let listExtensions: Set<String> = [
        "txt", "csv", "tsv", "json", "jsonl", "ndjson", "xml", "html", "htm", "xhtml", "rss", "atom", "md", "markdown",
    ]
}

/// The format of a list.
enum ListFormat: Hashable {
    case plainText
    /// Paths and addresses that end with NUL.
    case nulSeparated
    case jsonLines
    /// Arrays, or objects in sequence, over any number of lines.
    case json(isArray: Bool)
    case table(TableShape)
    case page, markdown, sitemap, metalink
    /// RSS or Atom.
    case feed
    /// The index of a web archive.
    case captures
    case notAList(reason: String)

    /// Creates the parser of a list.
    func parser(base: ListBase, _ columns: ColumnChoice, file: String) throws(ListError) -> any ListParser {
        switch self {
        case .plainText: PlainTextParser(base: base)
        case .nulSeparated: NULListParser(base: base)
        case .jsonLines: JSONLinesParser(base: base, columns: columns)
        case .json(let isArray): JSONParser(base: base, isArray: isArray, columns: columns)
        case .table(let shape): TableParser(shape, base: base, columns: columns)
        case .page: PageParser(base: base)
        case .markdown: MarkdownParser(base: base)
        case .sitemap: SitemapParser(base: base)
        case .feed: FeedParser(base: base)
        case .metalink: MetalinkParser(base: base)
        case .captures: CaptureParser(base: base)
        case .notAList(let reason): throw .notAList(file: file, line: nil, reason: reason)
        }
    }

    /// The maximum number of bytes that decide about the format.
    static let sampleSize = 64 * 1024

    /// Detects the format by the first line that is neither blank nor a comment, and by the lines after it if that may
    /// be the header of a table.
    ///
    /// - Parameters:
    ///   - isComplete: Whether no more bytes follow.
    ///   - isTable: Whether the file name is that of a table.
    ///   - isMarkdown: Whether the file name is that of a Markdown file.
    ///   - address: The column of addresses if the user names it; the list is then a table or JSON.
    /// - Returns: The format; nil if more bytes are needed.
    static func detect(
        _ bytes: [UInt8], isComplete: Bool, isTable: Bool = false, isMarkdown: Bool = false, address: String? = nil
    ) -> ListFormat? {
        let isEnough = isComplete || bytes.count >= sampleSize
        guard isEnough || bytes.count >= 16 else { return nil }
        if address == nil, isNULSeparated(bytes.prefix(4096)) { return .nulSeparated }
        if let reason = binaryKind(of: bytes.prefix(4096)) { return .notAList(reason: reason) }
        if isMarkdown, address == nil { return .markdown }
        guard let line = firstLine(of: bytes[...]) else { return isEnough ? .plainText : nil }
        if address == nil, line.text.first == UInt8(ascii: "<"), !isPlainText(line.text) {
            return markup(bytes, isEnough)
        }
        guard line.isComplete || isEnough else { return nil }
        if line.text.first == UInt8(ascii: "{") { return objects(line, in: bytes, isEnough) }
        if isArray(line.text) { return .json(isArray: true) }
        if line.text.starts(with: "['".utf8) {
            return .notAList(reason: "it is a Python list; json.dump writes one with the right quotes")
        }
        let rest = bytes[line.start...]
        if let address {
            switch TableShape.detect(in: rest, isComplete: isEnough, isTable: true, address: address) {
            case .found(let format): return format
            case .undecided: return nil
            case .notFound:
                return isEnough
                    ? .notAList(reason: "its first line has no column '\(address)', and it is no JSON") : nil
            }
        }
        if CaptureParser.isCapture(Substring(decoding: line.text, as: UTF8.self)) { return .captures }
        if MarkdownLine(String(decoding: line.text, as: UTF8.self)[...]).isMarkdown { return .markdown }
        switch TableShape.detect(in: rest, isComplete: isEnough, isTable: isTable) {
        case .found(let format): return format
        case .undecided: return nil
        case .notFound: break
        }
        switch MarkdownParser.detect(in: rest, isComplete: isEnough) {
        case .found(let format): return format
        case .undecided: return nil
        case .notFound: return .plainText
        }
    }

    /// The result of looking for one format.
    enum Detection: Hashable {
        case found(ListFormat)
        case notFound
        /// More bytes may decide.
        case undecided
    }

    /// Returns whether NUL ends paths, addresses or names of pictures.
    ///
    /// One of the first two names suffices, because the output of `find` begins with the folder itself.
    private static func isNULSeparated(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count > 1 else { return false }
        let names = parts.prefix(2).map { String(decoding: $0, as: UTF8.self) }
        return names.contains { $0.utf8.count > 1 && $0.contains("/") || PictureFileDetector.isViewable(name: $0) }
            && !names.contains { name in name.utf8.contains { $0 < 0x20 } }
    }

    // MARK: - Binary data

    private static let signatures: [([UInt8], String)] = [
        (GzipStream.signature, "it is compressed with gzip twice"), (Array("%PDF-".utf8), "it is a PDF document"),
        (Array("PK\u{3}\u{4}".utf8), "it is a ZIP archive"), ([0x7F, 0x45, 0x4C, 0x46], "it is a program"),
        (Array("SQLite format 3".utf8), "it is an SQLite database"), (Array("BZh".utf8), "it is compressed with bzip2"),
        ([0x28, 0xB5, 0x2F, 0xFD], "it is compressed with zstd"),
        ([0xFD, 0x37, 0x7A, 0x58], "it is compressed with xz"), (Array("ARROW1\0\0".utf8), "it is an Arrow file"),
    ]

    /// Returns what the bytes are if they are not text.
    private static func binaryKind(of bytes: ArraySlice<UInt8>) -> String? {
        if let format = PictureFileDetector.format(beginning: bytes), format != .svg { return "it is a picture" }
        if isParquet(bytes) { return parquet }
        if let signature = signatures.first(where: { bytes.starts(with: $0.0) }) { return signature.1 }
        // Text has few control characters. One NUL is a bad line, not a bad file.
        let controls = bytes.count { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) }
        return controls * 10 > bytes.count ? "it holds binary data" : nil
    }

    /// Returns whether the bytes begin with Parquet's signature and do not continue as text, as in `PAR1/1.jpg`.
    static func isParquet(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.starts(with: "PAR1".utf8) || bytes.starts(with: "PARE".utf8) else { return false }
        return bytes.dropFirst(4).first.map { ($0 < 0x20 && !$0.isBlank) || $0 >= 0x80 } ?? false
    }

    static let parquet = """
        it is a Parquet file, which is read from a local file if python3 has pyarrow; or convert it, e.g. \
        duckdb -c "COPY (SELECT url FROM 'x.parquet') TO 'x.csv'"
        """

    // MARK: - The first line

    private struct Line {
        /// The text without the blanks around it.
        let text: ArraySlice<UInt8>
        /// Whether its line end has arrived.
        let isComplete: Bool
        /// The index of its first byte, blanks included.
        let start: Int
    }

    /// Returns the first line that is neither blank nor a comment.
    private static func firstLine(of bytes: ArraySlice<UInt8>) -> Line? {
        var rest = bytes
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let text = trim(rest[..<end])
            if let first = text.first, first != UInt8(ascii: "#") {
                return Line(text: text, isComplete: end < rest.endIndex, start: rest.startIndex)
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

    /// Returns whether a line that begins with `<` is an address in angle brackets, or a caption with its address
    /// after a TAB.
    private static func isPlainText(_ line: ArraySlice<UInt8>) -> Bool {
        let fields = line.split(separator: UInt8(ascii: "\t")).map { trim($0) }
        return fields.dropFirst().contains { $0.starts(with: "http".utf8) }
            || line.dropFirst().starts(with: "http".utf8)
    }

    private static func isArray(_ line: ArraySlice<UInt8>) -> Bool {
        let rest = line.dropFirst().drop { $0 <= 0x20 }
        // An Internet shortcut may begin with a section `[{000214A0-…}]`.
        if rest.first == UInt8(ascii: "{"), let third = rest.dropFirst().first(where: { $0 > 0x20 }) {
            return line.first == UInt8(ascii: "[") && "\"}".utf8.contains(third)
        }
        return line.first == UInt8(ascii: "[") && (line.count == 1 || "{\"[]".utf8.contains(rest.first ?? 0))
    }

    /// Returns JSON Lines if the first object ends on its line or the next line begins another object, otherwise JSON.
    private static func objects(_ line: Line, in bytes: [UInt8], _ isEnough: Bool) -> ListFormat? {
        var splitter = JSONElementSplitter(isArray: false, limit: .max)
        _ = splitter.feed(Array(line.text))
        guard splitter.truncation != nil else { return .jsonLines }
        let rest = line.isComplete ? bytes[line.text.endIndex...].drop { $0 != UInt8(ascii: "\n") }.dropFirst() : []
        guard let next = rest.first else { return isEnough ? .json(isArray: false) : nil }
        return next == UInt8(ascii: "{") ? .jsonLines : .json(isArray: false)
    }

    /// Detects a sitemap, a feed, another kind of XML, or a page by its root element.
    private static func markup(_ bytes: [UInt8], _ isEnough: Bool) -> ListFormat? {
        var scanner = MarkupScanner(dialect: .xml)
        let root = scanner.feed(bytes).lazy.compactMap { token in
            if case .open(let tag) = token.content { tag.localName } else { nil }
        }.first
        switch root {
        case nil: return isEnough ? .page : nil
        case "urlset", "sitemapindex": return .sitemap
        case "rss", "feed", "rdf": return .feed
        case "metalink": return .metalink
        case "svg": return .notAList(reason: "it is an SVG picture")
        case "html": return .page
        default:
            let isXML = trim(bytes[...]).starts(with: "<?xml".utf8)
            return isXML ? .notAList(reason: "it is XML, but neither a sitemap, a feed nor Metalink") : .page
        }
    }
}
