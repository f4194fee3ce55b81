/// Reads JSON Lines: one object a line, with `url` and any other ``ListField``, whatever their case.
///
/// Blank lines and lines that begin with `#` mean nothing, nor do other keys or nulls.
struct JSONLinesParser: ListParser {
    private var splitter = LineSplitter()
    private let base: ListBase

    init(base: ListBase) {
        self.base = base
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
            var reading = EntryReading(line: line.number, base: base)
            do throws(FieldFault) {
                let members = try Self.members(trimmed).filter { $0.value != .null }
                let address = ListField.address(among: members.map(\.name))
                for (place, member) in members.enumerated() {
                    guard let field = ListField(name: member.name), field != .url || place == address else { continue }
                    do {
                        reading.set(field, to: try Self.value(member.value, of: field))
                    } catch {
                        reading.note(error, of: field)
                    }
                }
                reading.finish(into: &events)
            } catch {
                events.append(.rejected(line: line.number, reason: error.description))
            }
        }
    }

    private static func members(_ text: Substring) throws(FieldFault) -> [JSONValue.Member] {
        let value: JSONValue
        do {
            value = try JSONValue(text)
        } catch {
            throw FieldFault("not valid JSON at byte \(error.place)")
        }
        guard case .object(let members) = value else { throw FieldFault("not a JSON object") }
        return members
    }

    private static func value(_ value: JSONValue, of field: ListField) throws(FieldFault) -> FieldValue {
        switch value {
        case .text(let text): return .text(text)
        case .number(let number): return .number(number)
        case .flag(let flag): return .flag(flag)
        case .array(let values):
            let texts = values.compactMap(\.text)
            if texts.count == values.count { return .texts(texts) }
        case .object(let members):
            let pairs = members.compactMap { member in
                member.value.text.map { ListHeader(name: member.name, value: $0) }
            }
            if pairs.count == members.count { return .pairs(pairs) }
        case .null: break
        }
        throw FieldFault("\(field.rawValue) holds a value of the wrong kind")
    }
}

extension JSONValue {
    fileprivate var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}
