/// Writes equal locations equally, so that duplicates can be found.
///
/// Scheme and host in lower case, the scheme's own port and the fragment dropped, an empty path written `/`
/// (RFC 3986, 6.2.2 and 6.2.3). Paths, queries and `data` URLs stay as they are.
public enum URLNormalizer {
    public static func normalize(_ location: String) -> String {
        guard let parts = URLParts(location[...]), parts.authority != nil else { return location }
        let scheme = parts.scheme.lowercased()
        let query = parts.query.map { "?\($0)" } ?? ""
        return "\(scheme)://\(authority(parts, scheme))\(parts.path.isEmpty ? "/" : parts.path)\(query)"
    }

    private static let ports = ["http": "80", "https": "443"]

    private static func authority(_ parts: URLParts, _ scheme: String) -> String {
        let (host, port) = parts.hostPort
        let user = parts.authority?.lastIndex(of: "@").map { parts.authority?[...$0] ?? "" } ?? ""
        guard let port, !port.isEmpty, String(port) != ports[scheme] else { return user + host.lowercased() }
        return "\(user)\(host.lowercased()):\(port)"
    }
}
