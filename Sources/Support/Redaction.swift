import FoundationEssentials
import Synchronization

/// Redaction of credentials and secret values in addresses.
///
/// A value is secret if its name says so (``SecretName``), or if it looks like random bytes (``SecretValue``).
package enum Redaction {
    /// Whether redaction is switched off, as the user may ask; false by default.
    package static var isOff: Bool {
        get { offSwitch.load(ordering: .relaxed) }
        set { offSwitch.store(newValue, ordering: .relaxed) }
    }
    private static let offSwitch = Atomic(false)

    /// Returns a text without the `user:password@` of addresses in it.
    ///
    /// If the text is an address, `…` also replaces each secret value of its path parameters, query and fragment. A
    /// short digest follows the `…` of a long value, so that two values can be told apart.
    package static func shown(_ address: String) -> String {
        guard address.utf8.contains(where: isMark), !isOff else { return address }
        guard let colon = address.utf8.firstIndex(of: colon), isScheme(address.utf8[..<colon]),
            address.utf8[colon...].starts(with: "://".utf8)
        else { return text(address) }
        let start = address.utf8.index(colon, offsetBy: 3)
        var rest = address[start...]
        let fragment = cut(&rest, at: UInt8(ascii: "#")).map { "#" + redact(query: $0) } ?? ""
        let query = cut(&rest, at: UInt8(ascii: "?")).map { "?" + redact(query: $0) } ?? ""
        let path = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        let host = rest.utf8[..<path].lastIndex(of: at).map { rest.utf8.index(after: $0) } ?? rest.startIndex
        let place = rest[host..<max(host, path)] + redact(path: rest[path...])
        return text("\(address[..<start])\(place)\(query)\(fragment)")
    }

    /// Returns an address as screens and logs show it: as `shown`, and without the payload of a `data` URL.
    package static func display(_ address: String) -> String {
        guard address.prefix(5).lowercased() == "data:" else { return shown(address) }
        let head = address.prefix(headLimit).prefix { $0 != "," }
        return "\(head),… (\(address.utf8.count) characters)"
    }

    /// The maximum length of a `data` URL's head that is shown, in characters.
    private static let headLimit = 64

    /// Returns whether the byte may mark or be part of something to hide; it runs for every store, so it must be fast.
    private static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || byte == at || byte == UInt8(ascii: ";")
            || byte == percent
    }

    private static func isScheme(_ bytes: Substring.UTF8View) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                (97...122).contains(byte | 0x20) || (48...57).contains(byte) || "+-.".utf8.contains(byte)
            }
    }

    /// Returns the text after the first byte `mark` and truncates `text` before it; nil if there is none.
    private static func cut(_ text: inout Substring, at mark: UInt8) -> Substring? {
        guard let place = text.utf8.firstIndex(of: mark) else { return nil }
        defer { text = text[..<place] }
        return text[text.utf8.index(after: place)...]
    }

    /// Returns the query or fragment with `…` for every secret value.
    private static func redact(query: Substring) -> String { redact(query: query, depth: 0) }

    private static func redact(query: Substring, depth: Int) -> String {
        query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
            .map { part in
                let pair = Substring(part)
                // A query without names is one value, which may end in the padding of base64.
                let isValue = pair.utf8.drop { $0 != UInt8(ascii: "=") }.allSatisfy { $0 == UInt8(ascii: "=") }
                if isValue, SecretValue.isLikely(pair) { return SecretValue.placeholder(pair) }
                return redact(pair: pair, depth: depth)
            }.joined(separator: "&")
    }

    /// Returns the path with `…` for every secret value among its parameters, as in `/picture;token=…` (RFC 3986,
    /// section 3.3), and in escaped addresses within the path.
    private static func redact(path: Substring) -> String { redact(path: path, depth: 0) }

    private static func redact(path: Substring, depth: Int) -> String {
        guard path.utf8.contains(where: { $0 == UInt8(ascii: ";") || $0 == percent }) else { return String(path) }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        return segments.map { segment in
            segment.split(separator: ";", omittingEmptySubsequences: false).map { redact(pair: $0, depth: depth) }
                .joined(separator: ";")
        }.joined(separator: "/")
    }

    /// Returns a text without the `user:password@` of the addresses in it.
    package static func text(_ text: String) -> String {
        guard text.utf8.contains(at), !isOff else { return text }
        let bytes = Array(text.utf8)
        var kept: [UInt8] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(where: ends.contains) ?? bytes.endIndex
            kept += bytes[(credentialsEnd(in: bytes, start, end) ?? start)..<end] + bytes[end...].prefix(1)
            start = end + 1
        }
        return kept.count == bytes.count ? text : String(decoding: kept, as: UTF8.self)
    }

    /// Returns the end of the credentials at the beginning of a part.
    ///
    /// - Returns: nil if the part has no credentials, or follows neither `//` nor `:/`.
    private static func credentialsEnd(in bytes: [UInt8], _ start: Int, _ end: Int) -> Int? {
        let slash = UInt8(ascii: "/")
        guard start >= 2, bytes[start - 1] == slash, [slash, colon].contains(bytes[start - 2]),
            let last = bytes[start..<end].lastIndex(of: at), bytes[start..<last].contains(colon)
        else { return nil }
        return last + 1
    }

    private static let percent = UInt8(ascii: "%")
    private static let at = UInt8(ascii: "@")
    private static let colon = UInt8(ascii: ":")
    private static let ends = Set("/?# \t\n\r\"'".utf8)

    private static func redact(pair: Substring, depth: Int) -> String {
        guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")), !beginsAddress(pair[..<equals]) else {
            return redact(value: pair, depth)
        }
        let value = pair[equals...].dropFirst()
        guard !value.isEmpty, SecretName.isOne(pair[..<equals]) || SecretValue.isLikely(value) else {
            return pair[...equals] + redact(value: value, depth)
        }
        return pair[...equals] + SecretValue.placeholder(value)
    }

    /// Returns whether a query's first key is the beginning of an address; then the whole query is an address.
    private static func beginsAddress(_ key: Substring) -> Bool { key.utf8.contains(colon) && key.contains("://") }

    /// The maximum nesting of addresses in addresses.
    ///
    /// Deeper values are hidden entirely: each level of escaping makes the text longer.
    private static let nestingLimit = 3

    /// Redacts a value that is itself an address, escaped or not, as image proxies accept it.
    private static func redact(value text: Substring, _ depth: Int) -> String {
        let isEscaped = text.utf8.contains(percent)
        // Most values have neither byte, and a search for a string is slower.
        guard isEscaped || text.utf8.contains(colon) else { return String(text) }
        let address = isEscaped ? AddressEncoder.decode(text) : String(text)
        guard address.contains("://") else { return String(text) }
        guard depth < nestingLimit else { return "…" }
        // The path has no pairs of names and values; the query and the fragment have.
        let marks = address.firstIndex { $0 == "?" || $0 == "#" } ?? address.endIndex
        let path = redact(path: Substring(Redaction.text(String(address[..<marks]))), depth: depth + 1)
        let rest = address[marks...].split(separator: "#", omittingEmptySubsequences: false)
            .map { redact(query: $0, depth: depth + 1) }.joined(separator: "#")
        let shown = path + rest
        guard shown != address else { return String(text) }
        guard isEscaped else { return shown }
        return shown.split(separator: "…", omittingEmptySubsequences: false)
            .map { AddressEncoder.escaped($0) }.joined(separator: "…")
    }
}
