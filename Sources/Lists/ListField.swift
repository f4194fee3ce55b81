/// A field of a picture, by its name in JSON, tables and indented options.
enum ListField: String {
    case url, key, title, alternatives, headers, priority, process, sha256, pin, tags
    case lowData = "low_data"
    case timeToLive = "ttl"

    /// Reads a name; ignores case and treats `-` as `_`.
    ///
    /// Nil for unknown names.
    init?(name: some StringProtocol) {
        let name = name.lowercased().replacing("-", with: "_")
        if Self.addresses.contains(name) { self = .url } else { self.init(rawValue: name) }
    }

    /// The names of a picture's address in common datasets.
    private static let addresses: Set<String> = [
        "image_url", "imageurl", "img_url", "photo_image_url", "original_url", "originalurl",
    ]

    /// Returns the index of the address's name: `url`, otherwise the first name that means an address.
    static func addressIndex(in names: [String]) -> Int? {
        names.firstIndex { ListField(rawValue: $0.trimmed.lowercased()) == .url }
            ?? names.firstIndex { ListField(name: $0.trimmed) == .url }
    }

    /// Returns whether a column or member without a field's name probably holds addresses or paths of pictures.
    static func isUsualAddressName(_ name: String) -> Bool {
        usualAddresses.contains(name.lowercased().filter(\.isLetter))
    }

    private static let usualAddresses: Set<String> = [
        "image", "imagelink", "imagepath", "imagesrc", "img", "imgsrc", "picture", "picturelink", "photo", "photolink",
        "photourl", "bild", "foto", "src", "source", "link", "href", "uri", "address", "file", "filename", "filepath",
        "path",
    ]
}

/// An error of a field, with a message for the user.
struct FieldError: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Creates the error of a location.
    ///
    /// An error of the picture's own location does not name the field.
    init(_ error: LocationError, of field: ListField) {
        description = field == .url ? error.description : "\(field.rawValue): \(error.description)"
    }
}

/// The value of a field: typed as in JSON, or a text as in tables.
enum FieldValue: Hashable, Sendable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case texts([String])
    case pairs([ListHeader])

    /// The text, or a number as text, because datasets number their pictures; nil for other values and blank texts.
    var name: String? {
        if case .number(let number) = self { return Int(exactly: number).map(String.init) ?? String(number) }
        return text
    }

    /// The trimmed text; nil if it is not a text or blank.
    var text: String? {
        guard case .text(let text) = self else { return nil }
        let trimmed = text.trimmed
        return trimmed.isEmpty ? nil : String(trimmed)
    }

    var number: Double? {
        switch self {
        case .number(let number): number
        case .text: text.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    var flag: Bool? {
        switch self {
        case .flag(let flag): flag
        case .number(let number): number == 0 ? false : number == 1 ? true : nil
        case .text: text.flatMap { Self.flags[$0.lowercased()] }
        default: nil
        }
    }

    private static let flags = ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false]

    /// The texts, or the parts of a text between `|` or line ends.
    var texts: [String]? {
        switch self {
        case .texts(let texts): return texts
        case .text(let text):
            let parts = text.utf8.split { $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: "\n") }
            return parts.map { String(Substring($0).trimmed) }.filter { !$0.isEmpty }
        default: return nil
        }
    }

    /// The duration: a number of seconds, or a number with the unit s, m, h, d or w; at most 100 years.
    var duration: Duration? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604_800]
        var seconds = number
        if seconds == nil, let text, let unit = text.last.flatMap({ units[$0] }) {
            seconds = Double(text.dropLast().trimmed).map { $0 * unit }
        }
        guard let seconds, seconds >= 0 else { return nil }
        return .seconds(min(seconds, 100 * 365 * 86400))
    }

    /// The pairs, or the `Name: value` lines of a text; nil if one of them is not a usable header.
    var headers: [ListHeader]? {
        switch self {
        case .pairs(let pairs): return pairs.allSatisfy(\.isValid) ? pairs : nil
        case .text(let text):
            let lines = text.split(whereSeparator: \.isNewline).filter { !$0.trimmed.isEmpty }
            let headers = lines.compactMap(ListHeader.init(line:))
            return headers.count == lines.count ? headers : nil
        default: return nil
        }
    }
}

extension ListHeader {
    /// Reads `Name: value`; nil if the line is not a header that a list may set.
    package init?(line: some StringProtocol) {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        self.init(
            name: String(Substring(line[..<colon]).trimmed),
            value: String(Substring(line[line.utf8.index(after: colon)...]).trimmed))
        guard isValid else { return nil }
    }

    /// Whether the header is valid (RFC 9110, 5.1 and 5.5) and does not determine the length of the message.
    fileprivate var isValid: Bool {
        !name.isEmpty && !Self.framing.contains(name.lowercased())
            && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && !Self.delimiters.contains($0) }
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    private static let delimiters = Array("\"(),/:;<=>?@[\\]{}".utf8)

    private static let framing: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer", "expect",
    ]
}

/// Builds an entry from fields that arrive in any order.
///
/// A bad field becomes a warning. It rejects the entry if the field is the address or the cache key, or if it affects
/// the request, the check of the bytes or the processing.
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

    /// Adds a column of the list.
    mutating func add(_ name: String, _ value: JSONValue) { entry.columns[name] = value }

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
    /// - Throws: What is wrong with the value. The entry then stays unchanged, except that it gets the usable
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
