extension ListEntry {
    /// Sets what the field says; throws what is wrong with it and leaves the entry as it was, but for the alternatives
    /// that can be used.
    mutating func set(_ field: ListField, to value: FieldValue, from base: ListBase) throws(FieldFault) {
        switch field {
        case .url: location = try Self.place(value.text ?? "", field, base)
        case .lowData: lowData = try Self.place(Self.need(value.text, field, "a URL or a path"), field, base)
        case .alternatives: try setAlternatives(value, base)
        case .key: key = try Self.need(value.name, field, "a text or a number")
        case .title: title = try Self.need(value.name, field, "a text or a number")
        case .process: process = try Self.need(value.text, field, "a text")
        case .headers:
            headers = try Self.need(value.headers, field, "names with their values, none of them framing the request")
        case .priority:
            let number = value.number.flatMap { (0...1).contains($0) ? $0 : nil }
            priority = try Self.need(number, field, "a number from 0 to 1")
        case .timeToLive:
            timeToLive = try Self.need(value.duration, field, "seconds, or a number with s, m, h, d or w")
        case .sha256: sha256 = try Self.need(value.text.flatMap(Self.digest), field, "64 hexadecimal digits")
        case .pin: pin = try Self.need(value.flag, field, "true or false")
        case .tags: tags = try Self.need(value.texts, field, "texts")
        }
    }

    private static func need<Value>(_ value: Value?, _ field: ListField, _ form: String) throws(FieldFault) -> Value {
        guard let value else { throw FieldFault(field, takes: form) }
        return value
    }

    private static func place(
        _ text: String, _ field: ListField, _ base: ListBase, _ number: Int? = nil
    ) throws(FieldFault) -> String {
        do {
            return try base.location(text)
        } catch {
            throw number.map { FieldFault("alternative \($0): \(error.description)") }
                ?? FieldFault(error.description, of: field)
        }
    }

    private mutating func setAlternatives(_ value: FieldValue, _ base: ListBase) throws(FieldFault) {
        let texts = try Self.need(value.texts, .alternatives, "URLs or paths")
        guard texts.count <= Self.alternativeLimit else {
            throw FieldFault("more than \(Self.alternativeLimit) alternatives")
        }
        var faults: [String] = []
        alternatives = []
        for (index, text) in texts.enumerated() {
            do throws(FieldFault) { alternatives.append(try Self.place(text, .alternatives, base, index + 1)) } catch {
                faults.append(error.description)
            }
        }
        if !faults.isEmpty { throw FieldFault(faults.joined(separator: "; ")) }
    }

    /// How many alternatives an entry has at most.
    static let alternativeLimit = 64

    private static func digest(_ text: String) -> String? {
        let isDigest = text.utf8.count == 64 && text.utf8.allSatisfy(\.isHexDigit)
        return isDigest ? text.lowercased() : nil
    }
}
