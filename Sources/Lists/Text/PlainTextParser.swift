/// Reads plain text: one URL or path a line.
///
/// Blank lines and lines that begin with `#` mean nothing. Locations after a TAB are alternatives of the first. An
/// indented `key=value` line, as aria2 writes them, belongs to the entry above: `out` and `title` name it, all else
/// becomes an option.
struct PlainTextParser: ListParser {
    private var splitter = LineSplitter()
    private let folder: String
    private var held: ListEntry?

    /// Options kept for an entry at most; more are rejected.
    static let optionLimit = 64

    init(folder: String) {
        self.folder = folder
    }

    var line: Int { splitter.number }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) {
        for line in splitter.feed(bytes) { read(line, into: &events) }
    }

    mutating func finish(into events: inout [ListEvent]) {
        if let line = splitter.finish() { read(line, into: &events) }
        release(into: &events)
    }

    private mutating func read(_ line: ListLine, into events: inout [ListEvent]) {
        switch line.content {
        case .failure(let fault):
            release(into: &events)
            events.append(.rejected(line: line.number, reason: fault.rawValue))
        case .success(let text): read(text, line.number, into: &events)
        }
    }

    private mutating func read(_ text: String, _ number: Int, into events: inout [ListEvent]) {
        let trimmed = Self.trim(text[...])
        if trimmed.isEmpty || trimmed.hasPrefix("#") { return }
        if text.first?.isWhitespace == true, let option = Self.option(trimmed) {
            if let reason = attach(option) { events.append(.rejected(line: number, reason: reason)) }
            return
        }
        release(into: &events)
        entry(trimmed, number, into: &events)
    }

    private mutating func entry(_ text: Substring, _ number: Int, into events: inout [ListEvent]) {
        let fields = text.split(separator: "\t").map(Self.trim).filter { !$0.isEmpty }
        do {
            held = ListEntry(line: number, location: try Location.resolve(String(fields.first ?? ""), from: folder))
        } catch {
            events.append(.rejected(line: number, reason: error.description))
            return
        }
        for (place, field) in fields.enumerated().dropFirst() {
            do {
                held?.alternatives.append(try Location.resolve(String(field), from: folder))
            } catch {
                events.append(.rejected(line: number, reason: "alternative \(place): \(error.description)"))
            }
        }
    }

    /// Why the option means nothing here, if so.
    private mutating func attach(_ option: ListOption) -> String? {
        guard let entry = held else { return "an indented option with no entry above it" }
        guard entry.options.count < Self.optionLimit else { return "more than \(Self.optionLimit) options" }
        if ["out", "title"].contains(option.key) {
            held?.title = option.value
        } else {
            held?.options.append(option)
        }
        return nil
    }

    private mutating func release(into events: inout [ListEvent]) {
        guard let entry = held else { return }
        events.append(.entry(entry))
        held = nil
    }

    private static func option(_ text: Substring) -> ListOption? {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return nil }
        let key = text[..<equals]
        guard key.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }) else {
            return nil
        }
        return ListOption(key: key.lowercased(), value: String(text[text.index(after: equals)...]))
    }

    private static func trim(_ text: Substring) -> Substring {
        var text = text
        while text.first?.isWhitespace == true { text = text.dropFirst() }
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return text
    }
}
