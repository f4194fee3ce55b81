/// Writes equal locations equally, so that duplicates can be found.
///
/// Scheme and host in lower case, the scheme's own port and the fragment dropped, an empty path written `/`, dot segments
/// taken out, escapes of what needs none undone and the others in capitals (RFC 3986, 6.2.2 and 6.2.3), and what is not
/// ASCII in a path or query percent-encoded as it is sent (RFC 3987, 3.1). Otherwise paths, queries and `data` URLs stay
/// as they are.
public enum URLNormalizer {
    public static func normalize(_ location: String) -> String {
        guard let parts = URLParts(location[...]), parts.authority != nil else { return location }
        if isNormal(parts) { return location }
        let scheme = parts.scheme.lowercased()
        let query = parts.query.map { "?\(encoded($0))" } ?? ""
        let path = parts.path.isEmpty ? "/" : withoutDots(encoded(parts.path))
        return "\(scheme)://\(authority(parts, scheme))\(path)\(query)"
    }

    /// RFC 3986, section 5.2.4.
    private static func withoutDots(_ path: String) -> String {
        guard path.contains("/.") else { return path }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        var kept: [Substring] = []
        for segment in segments {
            switch segment {
            case ".": break
            case "..": if kept.count > 1 { kept.removeLast() }
            default: kept.append(segment)
            }
        }
        if segments.last == "." || segments.last == ".." { kept.append("") }
        return kept.joined(separator: "/")
    }

    /// Most URLs are written normally; they need no new string.
    private static func isNormal(_ parts: URLParts) -> Bool {
        guard parts.fragment == nil, !parts.path.isEmpty, let authority = parts.authority,
            !parts.scheme.utf8.contains(where: isCapital),
            authority.utf8.allSatisfy({ $0 < 0x80 && !isCapital($0) }), isPlain(parts.path), isPlain(parts.query ?? ""),
            !parts.path.contains("/.")
        else { return false }
        guard let port = parts.hostPort.port else { return true }
        return !port.isEmpty && port != ports[String(parts.scheme)] ?? ""
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (65...90).contains(byte) }

    private static func isPlain(_ text: Substring) -> Bool { text.utf8.allSatisfy { isPlain($0) && $0 != percent } }

    private static func isPlain(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

    private static func encoded(_ text: Substring) -> String {
        if isPlain(text) { return String(text) }
        var result = ""
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            if byte == percent, digits.count == 2 {
                rest = rest.dropFirst(2)
                let escaped = UInt8(digits[0] << 4 | digits[1])
                result += isUnreserved(escaped) ? String(UnicodeScalar(escaped)) : escape(escaped)
            } else {
                result += isPlain(byte) ? String(UnicodeScalar(byte)) : escape(byte)
            }
        }
        return result
    }

    private static func escape(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "%0\(digits)" : "%\(digits)"
    }

    /// RFC 3986, section 2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        let character = Character(UnicodeScalar(byte))
        return byte < 0x80 && (character.isLetter || character.isNumber || "-._~".contains(character))
    }

    private static let percent = UInt8(ascii: "%")

    private static let ports = ["http": "80", "https": "443"]

    private static func authority(_ parts: URLParts, _ scheme: String) -> String {
        let (host, port) = parts.hostPort
        let user = parts.authority?.utf8.lastIndex(of: UInt8(ascii: "@")).map { parts.authority?[...$0] ?? "" } ?? ""
        guard let port, !port.isEmpty, String(port) != ports[scheme] else { return user + host.lowercased() }
        return "\(user)\(host.lowercased()):\(port)"
    }
}
