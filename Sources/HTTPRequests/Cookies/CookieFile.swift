import AlcedoSupport
import FoundationEssentials

/// The reason why a cookie file cannot be used; it contains nothing of the file's text.
public enum CookieProblem: Error, Sendable, Hashable {
    /// The file cannot be read; the text says why.
    case unreadable(String)
    /// The file contains a zero byte or is not UTF-8.
    case notText
    /// The line is not a cookie: it needs seven fields separated by tabs.
    case notCookie(line: Int)
}

/// The cookies of a browser session in the `cookies.txt` format of Netscape, wget and curl.
///
/// Each line has seven fields separated by tabs: domain, whether subdomains are included, path, whether https is
/// required, expiry time in seconds since 1970 (0 for a session cookie), name, value. The prefix `#HttpOnly_` of
/// the domain is ignored; other lines that begin with `#` are comments. Source: curl's documentation, "HTTP
/// Cookies".
public struct CookieFile: Sendable, Hashable {
    private struct Entry: Sendable, Hashable {
        let coversSubdomains: Bool
        let cookie: Cookie
    }

    /// The cookies by domain, in lower case and without a leading dot.
    private var entries: [String: [Entry]] = [:]

    /// The largest file size that is accepted, in bytes.
    package static let sizeLimit = 16 << 20

    /// The number of cookies.
    package var count: Int { entries.values.reduce(0) { $0 + $1.count } }

    /// Parses the text of a file.
    public init(_ text: String) throws(CookieProblem) {
        guard !text.utf8.contains(0) else { throw .notText }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let isHTTPOnly = line.hasPrefix("#HttpOnly_")
            let text = isHTTPOnly ? line.dropFirst("#HttpOnly_".count) : line
            if text.allSatisfy(\.isWhitespace) || !isHTTPOnly && text.hasPrefix("#") { continue }
            guard read(text) else { throw .notCookie(line: index + 1) }
        }
    }

    /// Reads and parses a file of up to 16 MiB.
    public init(contentsOf url: URL) throws(CookieProblem) {
        let text: String?
        do { text = try RegularFile.text(at: url, limit: Self.sizeLimit) } catch {
            throw .unreadable(error.description)
        }
        guard let text else { throw .notText }
        try self.init(text)
    }

    /// Parses one line and returns whether it is a cookie.
    ///
    /// Six fields are accepted too, because an editor may remove the tab before an empty value.
    private mutating func read(_ line: Substring) -> Bool {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard (6...7).contains(fields.count), let expires = Double(fields[4]), !fields[5].isEmpty,
            fields.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } })
        else { return false }
        let domain = fields[0].drop { $0 == "." }.lowercased()
        guard !domain.isEmpty else { return false }
        let cookie = Cookie(
            name: String(fields[5]), value: fields.count == 7 ? String(fields[6]) : "",
            path: fields[2].hasPrefix("/") ? String(fields[2]) : "/", isSecure: Self.isTrue(fields[3]),
            expires: expires > 0 ? Int64(min(expires, 1e15)) : nil)
        entries[domain, default: []].append(Entry(coversSubdomains: Self.isTrue(fields[1]), cookie: cookie))
        return true
    }

    private static func isTrue(_ field: Substring) -> Bool { field.uppercased() == "TRUE" }

    /// Returns the cookies for an address, in the file's order for each domain.
    package func cookies(for url: URL, at now: Int64) -> [Cookie] {
        guard !entries.isEmpty, let host = url.host()?.lowercased() else { return [] }
        let own = entries[host] ?? []
        return (own + entriesOfParents(of: host)).map(\.cookie).filter { $0.goes(to: url, at: now) }
    }

    /// Returns the entries of the parent domains; an IP address has none.
    private func entriesOfParents(of host: String) -> [Entry] {
        guard !host.contains(":"), host.contains(where: \.isLetter) else { return [] }
        var (rest, found) = (host[...], [Entry]())
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            found += entries[String(rest)]?.filter(\.coversSubdomains) ?? []
        }
        return found
    }
}

extension CookieFile: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(count) cookies" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
