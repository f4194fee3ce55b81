/// Writes equal locations equally, so that duplicates can be found.
///
/// Scheme and host in lower case, the scheme's own port and the fragment dropped, an empty path written `/`
/// (RFC 3986, 6.2.2 and 6.2.3). Paths, queries and `data` URLs stay as they are.
public enum URLNormalizer {
    public static func normalize(_ location: String) -> String {
        guard let parts = URLParts(location[...]), parts.authority != nil else { return location }
        if isNormal(parts) { return location }
        let scheme = parts.scheme.lowercased()
        let query = parts.query.map { "?\($0)" } ?? ""
        return "\(scheme)://\(authority(parts, scheme))\(parts.path.isEmpty ? "/" : parts.path)\(query)"
    }

    /// Most URLs are written normally; they need no new string.
    private static func isNormal(_ parts: URLParts) -> Bool {
        guard parts.fragment == nil, !parts.path.isEmpty, let authority = parts.authority,
            !parts.scheme.utf8.contains(where: isCapital),
            authority.utf8.allSatisfy({ $0 < 0x80 && !isCapital($0) })
        else { return false }
        guard let port = parts.hostPort.port else { return true }
        return !port.isEmpty && port != ports[String(parts.scheme)] ?? ""
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (65...90).contains(byte) }

    private static let ports = ["http": "80", "https": "443"]

    private static func authority(_ parts: URLParts, _ scheme: String) -> String {
        let (host, port) = parts.hostPort
        let user = parts.authority?.utf8.lastIndex(of: UInt8(ascii: "@")).map { parts.authority?[...$0] ?? "" } ?? ""
        guard let port, !port.isEmpty, String(port) != ports[scheme] else { return user + host.lowercased() }
        return "\(user)\(host.lowercased()):\(port)"
    }
}
