import AlcedoSupport
import FoundationEssentials
import Retrying

/// A cookie (RFC 6265) without the hosts that it is sent to.
package struct Cookie: Sendable, Hashable {
    package let name: String
    package let value: String
    /// The path prefix, which begins with `/`: only addresses at or below it receive the cookie.
    package var path = "/"
    /// Whether the cookie is sent over https only.
    var isSecure = false
    /// The expiry time in seconds since 1970; nil for a session cookie.
    var expires: Int64?

    /// Returns whether two cookies have the same identity, so that the newer one replaces the older.
    package func isSame(as other: Cookie) -> Bool { name == other.name && path == other.path }

    package func isLive(at now: Int64) -> Bool { expires.map { $0 > now } ?? true }

    /// Returns whether the cookie is sent to an address of one of its hosts (RFC 6265, section 5.1.4).
    package func goes(to url: URL, at now: Int64) -> Bool {
        guard isLive(at: now), !isSecure || url.scheme?.lowercased() == "https" else { return false }
        let target = Self.path(of: url)
        return path == "/" || target == path
            || target.hasPrefix(path) && (path.hasSuffix("/") || target.dropFirst(path.count).first == "/")
    }

    /// Parses a `Set-Cookie` field (RFC 6265, section 5.2); nil if it contains no valid cookie.
    ///
    /// The `Domain` attribute is ignored: the cookie is valid only for the host that set it.
    package init?(setBy field: String, at url: URL, now: Int64) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map(\.withoutBlanks)
        guard let pair = parts.first, let sign = pair.firstIndex(of: "=") else { return nil }
        self.init(
            name: pair[..<sign].withoutBlanks, value: pair[pair.index(after: sign)...].withoutBlanks,
            path: Self.defaultPath(of: url))
        guard pair.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), !name.isEmpty else { return nil }
        var maxAge: Int64?
        for attribute in parts.dropFirst() {
            let words = attribute.split(separator: "=", maxSplits: 1).map { $0.withoutBlanks }
            let value = words.count == 2 ? words[1] : ""
            switch words.first?.lowercased() {
            case "path" where value.hasPrefix("/"): path = value
            case "secure": isSecure = true
            case "expires": expires = HTTPDate(Self.plainDate(value), now: now)?.secondsSince1970 ?? expires
            case "max-age": maxAge = Int64(value) ?? (value.hasPrefix("-") ? 0 : maxAge)
            default: break
            }
        }
        if let maxAge {
            let (end, isTooLate) = now.addingReportingOverflow(maxAge)
            expires = maxAge <= 0 ? 0 : isTooLate ? .max : end
        }
    }

    init(name: String, value: String, path: String = "/", isSecure: Bool = false, expires: Int64? = nil) {
        (self.name, self.value, self.path, self.isSecure, self.expires) = (name, value, path, isSecure, expires)
    }

    private static func path(of url: URL) -> String {
        let path = url.path(percentEncoded: true)
        return path.isEmpty ? "/" : path
    }

    /// Returns the default path of a cookie that an address sets: its directory (RFC 6265, section 5.1.4).
    private static func defaultPath(of url: URL) -> String {
        let path = path(of: url)
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Converts `Thu, 01-Jan-1970 00:00:00 GMT`, which many servers send, to the HTTP date format.
    private static func plainDate(_ text: String) -> String {
        let words = text.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].count == 4 else { return text }
        return "\(words[0]) \(words[1].replacing("-", with: " "))"
    }
}

extension Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "cookie \(name)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
