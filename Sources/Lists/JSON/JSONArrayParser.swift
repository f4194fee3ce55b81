/// Reads one JSON array, however its lines run: its elements are each a ``JSONEntry``, or an address alone.
struct JSONArrayParser: ListParser {
    private var splitter = JSONElementSplitter()
    private let entry: JSONEntry

    init(base: ListBase) {
        entry = JSONEntry(base: base, takesTexts: true)
    }

    var line: Int { splitter.line - 1 }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) {
        for element in splitter.feed(bytes) { read(element, into: &events) }
    }

    func finish(isCut: Bool, into events: inout [ListEvent]) {}

    var missingEnd: MissingEnd? { splitter.missingEnd }

    private func read(_ element: ListLine, into events: inout [ListEvent]) {
        switch element.content {
        case .failure(let fault): events.append(.rejected(line: element.number, reason: fault.rawValue))
        case .success(let text): entry.read(text[...], line: element.number, into: &events)
        }
    }
}
