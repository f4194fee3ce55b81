/// The value of a field: typed as in JSON, or a text as in tables.
enum FieldValue: Hashable, Sendable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case texts([String])
    case pairs([ListHeader])

    /// The text, or the number as a text, as datasets number their pictures; nil if it is neither or blank.
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

    /// The duration of a number of seconds, or of a number with the unit s, m, h, d or w; at most 100 years.
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

    /// Whether it is a header (RFC 9110, 5.1 and 5.5) that does not frame the message.
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
