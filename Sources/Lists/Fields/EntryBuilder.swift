/// Builds an entry from fields that arrive in any order.
///
/// A bad field becomes a warning. It rejects the entry if it is the address or the cache key, or decides about the
/// request, its check or the processing.
struct EntryBuilder {
    private var entry: ListEntry
    private let base: ListBase
    private var warnings: [String] = []
    private var error: FieldError?

    init(line: Int, base: ListBase) {
        entry = ListEntry(line: line, location: "")
        self.base = base
    }

    mutating func set(_ field: ListField, to value: FieldValue) {
        do { try entry.set(field, to: value, base: base) } catch { report(error, for: field) }
    }

    /// Records an error of a field.
    mutating func report(_ error: FieldError, for field: ListField) {
        switch field {
        case .url, .key, .headers, .sha256, .process: self.error = error
        case .alternatives, .lowData, .priority, .timeToLive, .title, .pin, .tags: warnings.append(error.description)
        }
    }

    /// Appends the warnings and the entry, or a rejection.
    func finish(into events: inout [ListEvent]) {
        if let reason = error?.description ?? (entry.location.isEmpty ? "no url" : nil) {
            return events.append(.rejected(line: entry.line, reason: reason))
        }
        for reason in warnings { events.append(.warning(line: entry.line, reason: reason)) }
        events.append(.entry(entry))
    }
}

extension ListEntry {
    static let alternativeLimit = 64

    /// Sets a field.
    ///
    /// - Throws: What is wrong with the value. The entry does not change then, except that it gets the usable
    ///   alternatives.
    mutating func set(_ field: ListField, to value: FieldValue, base: ListBase) throws(FieldError) {
        func require<Value>(_ value: Value?, _ form: String) throws(FieldError) -> Value {
            guard let value else { throw FieldError("\(field.rawValue) must be \(form)") }
            return value
        }
        switch field {
        case .url: location = try Self.location(value.text ?? "", field, base)
        case .lowData: lowData = try Self.location(require(value.text, "a URL or a path"), field, base)
        case .alternatives: try setAlternatives(require(value.texts, "URLs or paths"), base)
        case .key: key = try require(value.name, "a text or a number")
        case .title: title = try require(value.name, "a text or a number")
        case .process: process = try require(value.text, "a text")
        case .headers: headers = try require(value.headers, "names with values, and none that frames the request")
        case .priority:
            priority = try require(value.number.flatMap { (0...1).contains($0) ? $0 : nil }, "a number from 0 to 1")
        case .timeToLive: timeToLive = try require(value.duration, "seconds, or a number with s, m, h, d or w")
        case .sha256: sha256 = try require(value.text.flatMap(Self.digest), "64 hexadecimal digits")
        case .pin: pin = try require(value.flag, "true or false")
        case .tags: tags = try require(value.texts, "texts")
        }
    }

    private static func location(_ text: String, _ field: ListField, _ base: ListBase) throws(FieldError) -> String {
        do { return try base.location(text) } catch { throw FieldError(error, of: field) }
    }

    private mutating func setAlternatives(_ texts: [String], _ base: ListBase) throws(FieldError) {
        guard texts.count <= Self.alternativeLimit else {
            throw FieldError("more than \(Self.alternativeLimit) alternatives")
        }
        var errors: [String] = []
        alternatives = []
        for (index, text) in texts.enumerated() {
            do throws(LocationError) { alternatives.append(try base.location(text)) } catch {
                errors.append("alternative \(index + 1): \(error.description)")
            }
        }
        if !errors.isEmpty { throw FieldError(errors.joined(separator: "; ")) }
    }

    private static func digest(_ text: String) -> String? {
        let isDigest = text.utf8.count == 64 && text.utf8.allSatisfy(\.isHexDigit)
        return isDigest ? text.lowercased() : nil
    }
}
