import Secrets

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
        let path = parts.path.isEmpty ? "/" : AddressRule.withoutDots(encoded(parts.path))
        return "\(scheme)://\(authority(parts, scheme))\(path)\(query)"
    }

    /// Most URLs are written normally; they need no new string.
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

    /// Whether nothing is to be escaped in it, no escape to be undone, and no dot segment to be taken out.
    private static func isNormal(_ text: Substring) -> Bool {
        var bytes = text.utf8.makeIterator()
        var last: UInt8 = 0
        while let byte = bytes.next() {
            guard isPlain(byte), byte != dot || last != slash else { return false }
            if byte == percent {
                guard let high = bytes.next().flatMap(capitalDigit), let low = bytes.next().flatMap(capitalDigit),
                    !isUnreserved(high << 4 | low)
                else { return false }
            }
            last = byte
        }
        return true
    }

    private static func isPlain(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

    private static func encoded(_ text: Substring) -> String {
        var result: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == percent, let escaped = escapedByte(rest.prefix(2)) {
                rest = rest.dropFirst(2)
                add(escaped, plainly: isUnreserved(escaped), to: &result)
            } else {
                add(byte, plainly: isPlain(byte), to: &result)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func escapedByte(_ digits: Substring.UTF8View.SubSequence) -> UInt8? {
        let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return values.count == 2 ? UInt8(values[0] << 4 | values[1]) : nil
    }

    /// As it is where it is plain, else escaped.
    private static func add(_ byte: UInt8, plainly isPlain: Bool, to result: inout [UInt8]) {
        if isPlain { return result.append(byte) }
        result.append(percent)
        result.append(hexadecimal[Int(byte >> 4)])
        result.append(hexadecimal[Int(byte & 15)])
    }

    private static func capitalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// RFC 3986, section 2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: [UInt8(ascii: "-"), dot, UInt8(ascii: "_"), UInt8(ascii: "~")].contains(byte)
        }
    }

    private static let percent = UInt8(ascii: "%")
    private static let dot = UInt8(ascii: ".")
    private static let slash = UInt8(ascii: "/")
    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    private static let ports = ["http": "80", "https": "443"]

    private static func authority(_ parts: URLParts, _ scheme: String) -> String {
        let (host, port) = parts.hostPort
        let user = parts.authority?.utf8.lastIndex(of: UInt8(ascii: "@")).map { parts.authority?[...$0] ?? "" } ?? ""
        guard let port, !port.isEmpty, String(port) != ports[scheme] else { return user + host.lowercased() }
        return "\(user)\(host.lowercased()):\(port)"
    }
}
