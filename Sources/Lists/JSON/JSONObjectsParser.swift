/// Reads JSON objects one behind another, however their lines run, as `jq` writes them: each is a ``JSONEntry``.
///
/// One object alone, as programs answer with, is read whole.
struct JSONObjectsParser: ListParser {
    private var splitter = JSONElementSplitter(limit: limit, isArray: false)
    private let entry: JSONEntry

    /// The longest object, in bytes.
    private static let limit = 4 << 20

    init(base: ListBase) {
        entry = JSONEntry(base: base)
    }

    var line: Int { splitter.line - 1 }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) {
        for element in splitter.feed(bytes) { read(element, into: &events) }
    }

    func finish(isCut: Bool, into events: inout [ListEvent]) {}

    var missingEnd: MissingEnd? { splitter.missingEnd }

    private func read(_ element: ListLine, into events: inout [ListEvent]) {
        switch element.content {
        case .failure(.tooLong): events.append(.rejected(line: element.number, reason: Self.tooLong))
        case .failure(let fault): events.append(.rejected(line: element.number, reason: fault.rawValue))
        case .success(let text): entry.read(text[...], line: element.number, into: &events)
        }
    }

    private static let tooLong = "an object longer than 4 MiB; for what a list in it holds: jq -c '.NAME[]'"
}

extension JSONObjectsParser {
    /// Whether the object that a first line begins goes on in the next; nil when that is not here yet.
    ///
    /// Where the next line begins an object of its own, the first one is only damaged.
    static func goesOn(_ line: ArraySlice<UInt8>, before next: ArraySlice<UInt8>, isWhole: Bool) -> Bool? {
        var splitter = JSONElementSplitter(limit: .max, isArray: false)
        _ = splitter.feed(Array(line))
        guard splitter.missingEnd != nil else { return false }
        guard let first = next.first else { return isWhole ? true : nil }
        return first != UInt8(ascii: "{")
    }
}
