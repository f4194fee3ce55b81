import AlcedoSupport
import FoundationEssentials

/// The events of a byte stream, read by the parser for the format of its first bytes.
struct ListTextReader: Sendable {
    private enum State {
        case closed
        case open(any ByteSource, any ListParser)
        /// All events were returned; the error is thrown next.
        case failed(ListError)
        case done
    }

    private let base: ListBase
    private let columns: ColumnChoice
    private let open: @Sendable () throws(ListError) -> any ByteSource
    private var state = State.closed
    private var isEmpty = true
    /// The page or the feed that names the pictures; nil for other lists.
    private var referrer: URL?

    init(
        base: ListBase, columns: ColumnChoice = ColumnChoice(),
        open: @escaping @Sendable () throws(ListError) -> any ByteSource
    ) {
        (self.base, self.columns, self.open) = (base, columns, open)
    }

    /// Returns the next events, which may be none; nil at the end.
    @concurrent mutating func next() async throws(ListError) -> [ListEvent]? {
        if case .closed = state { try await openStream() }
        switch state {
        case .closed, .done: return nil
        case .failed(let error):
            state = .done
            throw error
        case .open(let stream, let parser): return try await read(stream, parser)
        }
    }

    private mutating func openStream() async throws(ListError) {
        var stream = try await PeekedStream.text(of: try open())
        var format = format(of: stream)
        while format == nil {
            try await stream.readAhead()
            format = self.format(of: stream)
        }
        if case .web(let address) = base, format == .page || format == .feed { referrer = WebAddress.url(address) }
        state = .open(stream, try (format ?? .plainText).parser(base: base, columns, file: stream.name))
    }

    private func format(of stream: PeekedStream) -> ListFormat? {
        let name = stream.name.lowercased()
        let plain = name.hasSuffix(".gz") ? name.dropLast(3) : name[...]
        return ListFormat.detect(
            stream.head, isComplete: stream.isComplete, isTable: plain.hasSuffix(".csv"),
            isMarkdown: plain.hasSuffix(".md") || plain.hasSuffix(".markdown"), address: columns.address)
    }

    private mutating func read(
        _ stream: any ByteSource, _ parser: any ListParser
    ) async throws(ListError) -> [ListEvent] {
        var (stream, parser) = (stream, parser)
        var events: [ListEvent] = []
        if parser.hasPendingEntry, await stream.isIdle() {
            parser.flush(into: &events)
            state = .open(stream, parser)
            return events
        }
        do {
            let bytes = try await stream.read(line: parser.line)
            if bytes.isEmpty {
                finish(parser, stream.name, into: &events)
            } else {
                parser.feed(bytes, into: &events)
                state = .open(stream, parser)
            }
            if !events.isEmpty { isEmpty = false }
            if let referrer { events = events.map { $0.referring(to: referrer) } }
        } catch {
            if error == .cancelled { throw error }
            parser.finish(isTruncated: true, into: &events)
            state = .failed(error)
        }
        return events
    }

    private mutating func finish(_ parser: any ListParser, _ name: String, into events: inout [ListEvent]) {
        var parser = parser
        parser.finish(isTruncated: false, into: &events)
        if let truncation = parser.truncation {
            state = .failed(.unreadable(file: name, line: truncation.line, reason: truncation.reason))
            return
        }
        state = .done
        if isEmpty, events.isEmpty, let reason = parser.emptyReason {
            events.append(.rejected(line: max(1, parser.line), reason: reason))
        }
    }
}

extension ListEvent {
    /// Returns the event with the Referer that browsers send: the page itself to its own host, else only its origin, and
    /// nothing from https to http.
    ///
    /// Source: W3C Referrer Policy, `strict-origin-when-cross-origin`.
    fileprivate func referring(to page: URL) -> ListEvent {
        guard case .entry(var entry) = self, entry.kind == .picture, let url = WebAddress.url(entry.location),
            url.scheme == page.scheme || page.scheme == "http",
            var parts = URLComponents(url: page, resolvingAgainstBaseURL: true)
        else { return self }
        (parts.fragment, parts.user, parts.password) = (nil, nil, nil)
        if url.hostKey != page.hostKey { (parts.path, parts.query) = ("/", nil) }
        guard let referrer = parts.string else { return self }
        entry.headers.append(ListHeader(name: "Referer", value: referrer))
        return .entry(entry)
    }
}
