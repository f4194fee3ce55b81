/// A byte stream read by the parser its first bytes call for.
struct TextFeed: ListFeed {
    private enum State {
        case closed
        case open(ByteStream, any ListParser)
        case done
    }

    let folder: String
    let open: @Sendable () throws(ListError) -> ByteStream
    private var state = State.closed

    init(folder: String, open: @escaping @Sendable () throws(ListError) -> ByteStream) {
        self.folder = folder
        self.open = open
    }

    @concurrent mutating func next() async throws(ListError) -> [ListEvent]? {
        switch state {
        case .done: return nil
        case .closed: return try await begin()
        case .open(let stream, let parser):
            let bytes = try await stream.read(line: parser.line)
            return try parse(bytes, stream, parser)
        }
    }

    private mutating func begin() async throws(ListError) -> [ListEvent] {
        let stream = try open()
        // A pipe may give its first bytes one by one: wait for enough of them to tell the format.
        var bytes = try await stream.read(line: 0)
        var more = bytes
        while bytes.count < 16, !more.isEmpty {
            more = try await stream.read(line: 0)
            bytes += more
        }
        return try parse(bytes, stream, Self.parser(for: bytes, stream.name, folder))
    }

    private static func parser(
        for bytes: [UInt8], _ name: String, _ folder: String
    ) throws(ListError) -> any ListParser {
        switch ListFormat.recognise(bytes) {
        case .plainText: PlainTextParser(folder: folder)
        case .none(let reason): throw .notAList(file: name, line: nil, reason: reason)
        }
    }

    private mutating func parse(
        _ bytes: [UInt8], _ stream: ByteStream, _ parser: any ListParser
    ) throws(ListError) -> [ListEvent] {
        var parser = parser
        var events: [ListEvent] = []
        if bytes.isEmpty {
            try parser.finish(into: &events)
            state = .done
        } else {
            try parser.feed(bytes, into: &events)
            state = .open(stream, parser)
        }
        return events
    }
}
