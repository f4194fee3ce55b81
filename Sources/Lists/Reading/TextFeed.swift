/// A byte stream read by the parser its first bytes call for.
struct TextFeed: ListFeed {
    private enum State {
        case closed
        case open(any ByteSource, any ListParser)
        /// What was read is given; the error comes next.
        case failed(ListError)
        case done
    }

    let base: ListBase
    let open: @Sendable () throws(ListError) -> any ByteSource
    private var state = State.closed

    init(base: ListBase, open: @escaping @Sendable () throws(ListError) -> any ByteSource) {
        self.base = base
        self.open = open
    }

    @concurrent mutating func next() async throws(ListError) -> [ListEvent]? {
        if case .closed = state { try await begin() }
        switch state {
        case .closed, .done: return nil
        case .failed(let error):
            state = .done
            throw error
        case .open(let stream, let parser): return try await read(stream, parser)
        }
    }

    private mutating func begin() async throws(ListError) {
        var stream = try await TextLayers.open(try open())
        var format = Self.format(of: stream)
        while format == nil {
            try await stream.grow()
            format = Self.format(of: stream)
        }
        state = .open(stream, try parser(for: format ?? .plainText, stream.name))
    }

    private static func format(of stream: PeekedStream) -> ListFormat? {
        let name = stream.name.lowercased()
        let plain = name.hasSuffix(".gz") ? name.dropLast(3) : name[...]
        return ListFormat.recognise(
            stream.head, isWhole: stream.isWhole, isTable: plain.hasSuffix(".csv"),
            isMarkdown: plain.hasSuffix(".md") || plain.hasSuffix(".markdown"))
    }

    private func parser(for format: ListFormat, _ name: String) throws(ListError) -> any ListParser {
        switch format {
        case .plainText: PlainTextParser(base: base)
        case .jsonLines: JSONLinesParser(base: base)
        case .jsonArray: JSONArrayParser(base: base)
        case .jsonObjects: JSONObjectsParser(base: base)
        case .table(let shape): TableParser(shape, base: base)
        case .page: PageParser(base: base)
        case .markdown: MarkdownParser(base: base)
        case .sitemap: SitemapParser(base: base)
        case .feed: FeedParser(base: base)
        case .none(let reason): throw .notAList(file: name, line: nil, reason: reason)
        }
    }

    private mutating func read(
        _ stream: any ByteSource, _ parser: any ListParser
    ) async throws(ListError) -> [ListEvent] {
        var (stream, parser) = (stream, parser)
        var events: [ListEvent] = []
        if parser.holdsBack, await stream.isQuiet() {
            parser.release(into: &events)
            state = .open(stream, parser)
            return events
        }
        do {
            let bytes = try await stream.read(line: parser.line)
            if bytes.isEmpty {
                parser.finish(isCut: false, into: &events)
                state = parser.missingEnd.map { .failed(ListError($0, of: stream.name)) } ?? .done
            } else {
                parser.feed(bytes, into: &events)
                state = .open(stream, parser)
            }
        } catch {
            if error == .cancelled { throw error }
            parser.finish(isCut: true, into: &events)
            state = .failed(error)
        }
        return events
    }
}
