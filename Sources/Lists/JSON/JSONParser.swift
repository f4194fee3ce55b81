/// Parser of JSON Lines: one object a line, read by ``JSONEntry``.
///
/// Ignores blank lines and lines that begin with `#`.
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

    mutating func finish(isTruncated: Bool, into events: inout [ListEvent]) {
        if !isTruncated, let line = splitter.finish() { read(line, into: &events) }
    }

    private func read(_ line: ListLine, into events: inout [ListEvent]) {
        if case .success(let text) = line.content, text.utf8.first(where: { !$0.isBlank }) ?? comment == comment {
            return
        }
        entry.read(line, into: &events)
    }

    private let comment = UInt8(ascii: "#")
}

/// Parser of a JSON array, or of JSON objects in sequence as `jq` writes them.
///
/// Line ends have no meaning.
///
/// Each element is read by ``JSONEntry``; in an array, a string is an address.
struct JSONParser: ListParser {
    private var splitter: JSONElementSplitter
    private let entry: JSONEntry

    init(base: ListBase, isArray: Bool) {
        splitter = JSONElementSplitter(isArray: isArray)
        entry = JSONEntry(base: base, allowsStrings: isArray)
    }

    var line: Int { splitter.line - 1 }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) {
        for element in splitter.feed(bytes) { entry.read(element, into: &events) }
    }

    var truncation: Truncation? { splitter.truncation }
}
