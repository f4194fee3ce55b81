import Support

/// Writes equivalent locations identically, so that duplicates can be found.
///
/// Scheme and host become lower case. The scheme's default port and the fragment are dropped, an empty path becomes
/// `/`, and dot segments are removed. Escapes of unreserved characters are decoded, other escapes get capital digits
/// (RFC 3986, 6.2.2 and 6.2.3), and non-ASCII characters of paths and queries are encoded as they are sent (RFC 3987,
/// 3.1). File paths and `data` URLs stay as they are.
package enum URLNormalizer {
    package static func normalize(_ location: String) -> String {
        guard let parts = URLParts(location[...]), parts.authority != nil, !isNormal(parts) else { return location }
        let scheme = parts.scheme.lowercased()
        let query = parts.query.map { "?\(normalized($0))" } ?? ""
        let path = parts.path.isEmpty ? "/" : AddressEncoder.removingDotSegments(normalized(parts.path))
        return "\(scheme)://\(authority(parts, scheme))\(path)\(query)"
    }

    /// Returns whether the URL is normalized; may be false for one that is.
    ///
    /// Most URLs are, and need no new string.
    private static func isNormal(_ parts: URLParts) -> Bool {
        guard parts.fragment == nil, !parts.path.isEmpty, let authority = parts.authority,
            !parts.scheme.utf8.contains(where: isCapital),
            authority.utf8.allSatisfy({ $0 < 0x80 && !isCapital($0) }), isNormal(parts.path),
            isNormal(parts.query ?? "")
        else { return false }
        guard let port = parts.hostPort.port else { return true }
        return !port.isEmpty && port != ports[String(parts.scheme)] ?? ""
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (65...90).contains(byte) }

    /// Returns whether the text has no escape, no dot segment and nothing to encode.
    private static func isNormal(_ text: Substring) -> Bool {
        var last: UInt8 = 0
        for byte in text.utf8 {
            guard isVisible(byte), byte != percent, byte != UInt8(ascii: ".") || last != UInt8(ascii: "/") else {
                return false
            }
            last = byte
        }
        return true
    }

    private static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

    private static func normalized(_ text: Substring) -> String {
        var result: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let escaped = byte == percent ? AddressEncoder.escapedByte(rest) : nil
            if escaped != nil { rest = rest.dropFirst(2) }
            if escaped.map(isUnreserved) ?? isVisible(byte) {
                result.append(escaped ?? byte)
            } else {
                AddressEncoder.appendEscape(of: escaped ?? byte, to: &result)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns whether the byte is unreserved (RFC 3986, section 2.3).
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isDigit || "-._~".utf8.contains(byte)
    }

    private static let percent = UInt8(ascii: "%")
    private static let ports = ["http": "80", "https": "443"]

    private static func authority(_ parts: URLParts, _ scheme: String) -> String {
        let (host, port) = parts.hostPort
        let user = parts.authority.map { Substring($0.utf8.dropLast(parts.hostAndPort.utf8.count)) } ?? ""
        guard let port, !port.isEmpty, String(port) != ports[scheme] else { return user + host.lowercased() }
        return "\(user)\(host.lowercased()):\(port)"
    }
}
