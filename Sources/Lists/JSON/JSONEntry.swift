/// What a JSON value says of a picture: an object with `url` and any other ``ListField``, whatever their case.
///
/// Other keys mean nothing, nor do nulls. A value without an address of its own says what a ``JSONSearch`` finds in it.
struct JSONEntry {
    let base: ListBase
    /// Whether a text alone is an address.
    var takesTexts = false

    /// Reads the value that begins on a line.
    func read(_ text: Substring, line: Int, into events: inout [ListEvent]) {
        do {
            let value = try JSONValue(text)
            if case .object(let members) = value {
                let address = Self.address(in: members)
                if let address, !members[address].value.isNested {
                    return read(members, address, line: line, into: &events)
                }
            } else if takesTexts, case .text = value {
                return read(
                    [JSONValue.Member(name: ListField.url.rawValue, value: value)], 0, line: line, into: &events)
            }
            search(value, line: line, into: &events)
        } catch {
            events.append(.rejected(line: line, reason: "not valid JSON at byte \(error.place)"))
        }
    }

    /// Which member is the picture's address.
    static func address(in members: [JSONValue.Member]) -> Int? {
        let known = members.indices.filter { !members[$0].value.isNull }
        return ListField.address(among: known.map { members[$0].name }).map { known[$0] }
    }

    private func read(_ members: [JSONValue.Member], _ address: Int?, line: Int, into events: inout [ListEvent]) {
        var reading = EntryReading(line: line, base: base)
        for (place, member) in members.enumerated() where !member.value.isNull {
            guard let field = ListField(name: member.name), field != .url || place == address else { continue }
            do throws(FieldFault) {
                reading.set(field, to: try Self.value(member.value, of: field))
            } catch {
                reading.note(error, of: field)
            }
        }
        reading.finish(into: &events)
    }

    private func search(_ value: JSONValue, line: Int, into events: inout [ListEvent]) {
        let pictures = JSONSearch(value).pictures
        for picture in pictures {
            if let members = picture.members {
                read(members, Self.address(in: members), line: line, into: &events)
                continue
            }
            var reading = EntryReading(line: line, base: base)
            reading.set(.url, to: .text(picture.address))
            if let title = picture.title { reading.set(.title, to: .text(title)) }
            reading.finish(into: &events)
        }
        guard pictures.isEmpty else { return }
        if case .object(let members) = value {
            return read(members, Self.address(in: members), line: line, into: &events)
        }
        let reason = takesTexts ? "neither an object nor a text" : "not a JSON object"
        events.append(.rejected(line: line, reason: reason))
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
    fileprivate var isNull: Bool { if case .null = self { true } else { false } }

    fileprivate var isNested: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    fileprivate var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}
