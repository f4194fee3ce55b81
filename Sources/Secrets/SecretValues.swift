import Foundation

/// Tells which values of an address are secrets, by their names.
public enum SecretValues {
    /// A query or fragment with `…` for every value whose name tells of a secret: token, signature, key, password and
    /// the like.
    public static func hidden(in query: Substring) -> String { hidden(in: query, depth: 0) }

    private static func hidden(in query: Substring, depth: Int) -> String {
        query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
            .map { hidden(pair: Substring($0), depth: depth) }.joined(separator: "&")
    }

    /// A path with `…` for every secret value among its parameters, as in `/picture;token=…` (RFC 3986, section 3.3), and
    /// in addresses that stand in it escaped.
    public static func hidden(inPath path: Substring) -> String { hidden(inPath: path, depth: 0) }

    private static func hidden(inPath path: Substring, depth: Int) -> String {
        guard path.utf8.contains(where: { $0 == UInt8(ascii: ";") || $0 == percent }) else { return String(path) }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        return segments.map { segment in
            segment.split(separator: ";", omittingEmptySubsequences: false).map { hidden(pair: $0, depth: depth) }
                .joined(separator: ";")
        }.joined(separator: "/")
    }

    /// A text of any kind, without the `user:password@` of addresses in it.
    public static func withoutCredentials(_ text: String) -> String {
        guard text.utf8.contains(at) else { return text }
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

    /// Where the credentials end that a part begins with; nil where it has none, or follows neither `//` nor `:/`.
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

    private static func hidden(pair: Substring, depth: Int) -> String {
        guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")), !isInAddress(pair[..<equals]) else {
            return hidden(inValue: pair, depth)
        }
        let value = pair[equals...].dropFirst()
        return pair[...equals] + (isSecret(pair[..<equals]) ? "…" : hidden(inValue: value, depth))
    }

    /// Whether a key is the beginning of an address, which is all of a query then.
    private static func isInAddress(_ key: Substring) -> Bool { key.utf8.contains(colon) && key.contains("://") }

    /// So many addresses may stand in one another; of one that has more nothing is shown, as each may be longer than what
    /// it stands in.
    private static let nestingLimit = 3

    /// An address that is another one's value, escaped or not, as proxies of pictures take it.
    private static func hidden(inValue text: Substring, _ depth: Int) -> String {
        let isEscaped = text.utf8.contains(percent)
        // As nearly all have neither; to look for a text takes longer.
        guard isEscaped || text.utf8.contains(colon) else { return String(text) }
        let address = isEscaped ? AddressRule.unescaped(text) : String(text)
        guard address.contains("://") else { return String(text) }
        guard depth < nestingLimit else { return "…" }
        // After the path every part, a query or a fragment, is made of pairs.
        let marks = address.firstIndex { $0 == "?" || $0 == "#" } ?? address.endIndex
        let path = hidden(inPath: Substring(withoutCredentials(String(address[..<marks]))), depth: depth + 1)
        let rest = address[marks...].split(separator: "#", omittingEmptySubsequences: false)
            .map { hidden(in: $0, depth: depth + 1) }.joined(separator: "#")
        let shown = path + rest
        guard shown != address else { return String(text) }
        guard isEscaped else { return shown }
        return shown.split(separator: "…", omittingEmptySubsequences: false)
            .map { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }.joined(separator: "…")
    }

    private static let names: Set<String> = [
        "key", "sig", "auth", "authorization", "pass", "passwd", "pwd", "passphrase", "code", "session", "sessionid",
        "sid", "jsessionid", "phpsessid", "jwt", "bearer", "hmac", "policy", "hdnea", "hdnts", "oh", "oauth",
    ]

    private static let endings = [
        "token", "signature", "secret", "password", "credential", "credentials", "apikey", "accesskey", "keyid",
        "keypairid", "privatekey",
    ]

    /// Without what stands between letters and digits; most keys are nothing but lower-case letters.
    private static func letters(of key: Substring) -> String {
        if key.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }) { return String(key) }
        return (String(key).removingPercentEncoding ?? String(key)).lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// Whether the key names a secret, whatever its case, dashes, underscores and percent escapes.
    private static func isSecret(_ key: Substring) -> Bool {
        let name = letters(of: key)
        return names.contains(name) || endings.contains { name.hasSuffix($0) }
    }
}
