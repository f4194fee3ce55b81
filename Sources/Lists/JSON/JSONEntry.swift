/// Reads entries from a JSON value: an object with `url` and any other ``ListField``.
///
/// Ignores other members and nulls. In a value without an address of its own, ``JSONSearch`` looks for pictures.
struct JSONEntry {
    let base: ListBase
    /// Whether a string alone is an address.
    var allowsStrings = false

    /// Reads the value of a line or an element.
    func read(_ line: ListLine, into events: inout [ListEvent]) {
        switch line.content {
        case .failure(let error): events.append(.rejected(line: line.number, reason: error.rawValue))
        case .success(let text): read(text.trimmed, line: line.number, into: &events)
        }
    }

    private func read(_ text: Substring, line: Int, into events: inout [ListEvent]) {
        do {
            let value = try JSONValue(text)
            if case .object(let members) = value, let address = Self.addressIndex(in: members),
                !members[address].value.isNested
            {
                return read(members, address, line: line, into: &events)
            }
            if allowsStrings, case .string(let location) = value {
                return read(location, title: nil, line: line, into: &events)
            }
            search(value, line: line, into: &events)
        } catch {
            events.append(.rejected(line: line, reason: "not valid JSON at byte \(error.position)"))
        }
    }

    /// Returns the index of the member that is the picture's address.
    static func addressIndex(in members: [JSONValue.Member]) -> Int? {
        let known = members.indices.filter { members[$0].value != .null }
        return ListField.addressIndex(in: known.map { members[$0].name }).map { known[$0] }
    }

    private func read(_ members: [JSONValue.Member], _ address: Int?, line: Int, into events: inout [ListEvent]) {
        var builder = EntryBuilder(line: line, base: base)
        for (index, member) in members.enumerated() where member.value != .null {
            guard let field = ListField(name: member.name), field != .url || index == address else { continue }
            if let value = FieldValue(member.value) {
                builder.set(field, to: value)
            } else {
                builder.report(FieldError("\(field.rawValue) holds a value of the wrong type"), for: field)
            }
        }
        builder.finish(into: &events)
    }

    private func read(_ location: String, title: String?, line: Int, into events: inout [ListEvent]) {
        var builder = EntryBuilder(line: line, base: base)
        builder.set(.url, to: .text(location))
        if let title { builder.set(.title, to: .text(title)) }
        builder.finish(into: &events)
    }

    private func search(_ value: JSONValue, line: Int, into events: inout [ListEvent]) {
        let pictures = JSONSearch(value).pictures
        for picture in pictures {
            if let members = picture.members {
                read(members, Self.addressIndex(in: members), line: line, into: &events)
            } else {
                read(picture.address, title: picture.title, line: line, into: &events)
            }
        }
        guard pictures.isEmpty else { return }
        if case .object(let members) = value {
            return read(members, Self.addressIndex(in: members), line: line, into: &events)
        }
        let reason = allowsStrings ? "neither an object nor a string" : "not a JSON object"
        events.append(.rejected(line: line, reason: reason))
    }
}

extension FieldValue {
    /// Converts a JSON value; nil for null, for nested values, and for arrays and objects that hold anything but
    /// strings.
    fileprivate init?(_ value: JSONValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .number(let number): self = .number(number)
        case .flag(let flag): self = .flag(flag)
        case .array(let values):
            let texts = values.compactMap(\.string)
            guard texts.count == values.count else { return nil }
            self = .texts(texts)
        case .object(let members):
            let pairs = members.compactMap { member in
                member.value.string.map { ListHeader(name: member.name, value: $0) }
            }
            guard pairs.count == members.count else { return nil }
            self = .pairs(pairs)
        case .null: return nil
        }
    }
}

extension JSONValue {
    fileprivate var isNested: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    fileprivate var string: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
