/// What a JSON value says of a picture: an object with `url` and any other ``ListField``, whatever their case.
///
/// Other keys mean nothing, nor do nulls.
struct JSONEntry {
    let base: ListBase
    /// Whether a text alone is an address.
    var takesTexts = false

    /// Reads the value that begins on a line.
    func read(_ text: Substring, line: Int, into events: inout [ListEvent]) {
        var reading = EntryReading(line: line, base: base)
        do throws(FieldFault) {
            let members = try members(text).filter { $0.value != .null }
            let address = ListField.address(among: members.map(\.name))
            for (place, member) in members.enumerated() {
                guard let field = ListField(name: member.name), field != .url || place == address else { continue }
                do {
                    reading.set(field, to: try Self.value(member.value, of: field))
                } catch {
                    reading.note(error, of: field)
                }
            }
            reading.finish(into: &events, missing: Self.missing(in: members))
        } catch {
            events.append(.rejected(line: line, reason: error.description))
        }
    }

    private func members(_ text: Substring) throws(FieldFault) -> [JSONValue.Member] {
        let value: JSONValue
        do {
            value = try JSONValue(text)
        } catch {
            throw FieldFault("not valid JSON at byte \(error.place)")
        }
        switch value {
        case .object(let members): return members
        case .text where takesTexts: return [JSONValue.Member(name: ListField.url.rawValue, value: value)]
        default: throw FieldFault(takesTexts ? "neither an object nor a text" : "not a JSON object")
        }
    }

    /// Answers of programs hold their list under a name.
    private static func missing(in members: [JSONValue.Member]) -> String {
        let list = members.first {
            if case .array(let values) = $0.value { values.contains(where: \.isObject) } else { false }
        }
        let name = list?.name ?? ""
        guard name.first?.isNumber == false,
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        else {
            return "no url"
        }
        return "no url; for what its \(name) holds: jq -c '.\(name)[]'"
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
    fileprivate var isObject: Bool {
        if case .object = self { true } else { false }
    }

    fileprivate var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}
