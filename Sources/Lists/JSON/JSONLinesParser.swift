/// Reads JSON Lines: one object a line, as a ``JSONEntry`` is.
///
/// Blank lines and lines that begin with `#` mean nothing.
struct JSONLinesParser: ListParser {
    private var splitter = LineSplitter()
    private let entry: JSONEntry

    init(base: ListBase) {
        entry = JSONEntry(base: base)
    }

    var line: Int { splitter.number }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) {
        for line in splitter.feed(bytes) { read(line, into: &events) }
    }

    mutating func finish(isCut: Bool, into events: inout [ListEvent]) {
        if !isCut, let line = splitter.finish() { read(line, into: &events) }
    }

    private func read(_ line: ListLine, into events: inout [ListEvent]) {
        switch line.content {
        case .failure(let fault): events.append(.rejected(line: line.number, reason: fault.rawValue))
        case .success(let text):
            let trimmed = text.trimmed
            if trimmed.isEmpty || trimmed.utf8.first == UInt8(ascii: "#") { return }
            entry.read(trimmed, line: line.number, into: &events)
        }
    }
}
