import AlcedoSupport

/// A URL split into its parts, each as it was written (RFC 3986, appendix B).
///
/// Searches bytes, not characters: all delimiters are ASCII, and a list may have a million lines.
struct URLParts {
    var scheme: Substring
    /// The text between `//` and the path; nil without `//`.
    var authority: Substring?
    var path: Substring
    /// The text after `?`, if any.
    var query: Substring?
    /// The text after `#`, if any.
    var fragment: Substring?

    /// Splits the text; nil if it does not begin with a scheme and a colon.
    init?(_ text: Substring) {
        guard let colon = text.firstIndex(ofByte: UInt8(ascii: ":")), Self.isScheme(text[..<colon]) else { return nil }
        scheme = text[..<colon]
        var rest = text[text.utf8.index(after: colon)...]
        fragment = Self.cut(&rest, at: UInt8(ascii: "#"))
        query = Self.cut(&rest, at: UInt8(ascii: "?"))
        if rest.utf8.starts(with: "//".utf8) {
            rest = Substring(rest.utf8.dropFirst(2))
            let slash = rest.firstIndex(ofByte: UInt8(ascii: "/")) ?? rest.endIndex
            authority = rest[..<slash]
            rest = rest[slash...]
        }
        path = rest
    }

    /// The authority without `user:password@`.
    var hostAndPort: Substring {
        guard let authority, let at = authority.lastIndex(ofByte: UInt8(ascii: "@")) else { return authority ?? "" }
        return authority[authority.utf8.index(after: at)...]
    }

    /// The host, an IPv6 address with its brackets, and the text after its colon if there is one.
    var hostPort: (host: Substring, port: Substring?) {
        let whole = hostAndPort
        let start = whole.lastIndex(ofByte: UInt8(ascii: "]")) ?? whole.startIndex
        guard let colon = whole[start...].firstIndex(ofByte: UInt8(ascii: ":")) else { return (whole, nil) }
        return (whole[..<colon], whole[whole.utf8.index(after: colon)...])
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isASCIILetter else { return false }
        return text.utf8.allSatisfy { $0.isASCIILetter || $0.isDigit || [43, 45, 46].contains($0) }
    }

    /// Removes the first `delimiter` and all text after it; returns that text, or nil without a delimiter.
    private static func cut(_ text: inout Substring, at delimiter: UInt8) -> Substring? {
        guard let index = text.firstIndex(ofByte: delimiter) else { return nil }
        let tail = text[text.utf8.index(after: index)...]
        text = text[..<index]
        return tail
    }
}

extension Substring {
    fileprivate func firstIndex(ofByte byte: UInt8) -> Index? { index { $0.firstIndex(of: byte) } }

    fileprivate func lastIndex(ofByte byte: UInt8) -> Index? { index { $0.lastIndex(of: byte) } }

    /// Searches the bytes in place; five times as fast as a search by the indices of the text.
    private func index(_ find: (UnsafeBufferPointer<UInt8>) -> Int?) -> Index? {
        let offset = utf8.withContiguousStorageIfAvailable(find) ?? Array(utf8).withUnsafeBufferPointer(find)
        return offset.map { utf8.index(startIndex, offsetBy: $0) }
    }
}

/// Resolution of URL references (RFC 3986, 5.2).
enum URLReference {
    /// Returns the reference if it has a scheme, otherwise the URL that it means in a document with this base URL.
    ///
    /// A reference that names only a host becomes `https` if the base is a file.
    static func resolve(_ reference: String, against base: String) -> String {
        guard URLParts(reference[...]) == nil, let base = URLParts(base[...]) else { return reference }
        if reference.hasPrefix("//") { return (base.scheme == "file" ? "https:" : "\(base.scheme):") + reference }
        let isTail: (UInt8) -> Bool = { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let end = reference.utf8.firstIndex(where: isTail) ?? reference.endIndex
        let origin = "\(base.scheme)://\(base.authority ?? "")"
        if end > reference.startIndex {
            let path = merge(reference[..<end], into: base.path)
            return origin + AddressEncoder.removingDotSegments(path) + reference[end...]
        }
        let query = reference.hasPrefix("?") ? "" : base.query.map { "?\($0)" } ?? ""
        return origin + base.path + query + reference
    }

    private static func merge(_ path: Substring, into base: Substring) -> String {
        if path.utf8.first == UInt8(ascii: "/") { return String(path) }
        guard let slash = base.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "/\(path)" }
        return String(base[...slash] + path)
    }
}

/// The base URL of a page, a sitemap or a feed, which resolves its references.
struct PageReference: Hashable {
    private var base: String

    init(base: ListBase) {
        self.base = base.url
    }

    /// Sets the base that the document gives, itself relative to the current one; ignores schemes other than web and
    /// file.
    mutating func setBase(_ reference: String) {
        let url = URLReference.resolve(Self.clean(reference), against: base)
        let scheme = URLParts(url[...])?.scheme.lowercased()
        if ["http", "https", "file"].contains(scheme) { base = url }
    }

    /// Returns the location of a reference.
    func location(_ reference: String) throws(LocationError) -> String {
        let text = Self.clean(reference)
        guard !text.isEmpty else { throw .empty }
        guard !text.unicodeScalars.contains("\u{FFFD}") else { throw .notUTF8 }
        return try Location.resolve(URLReference.resolve(text, against: base), from: "/")
    }

    /// Returns the reference as browsers read it: without blanks around it, and without line ends and TABs in it.
    private static func clean(_ reference: String) -> String {
        let trimmed = reference.trimmed
        guard trimmed.utf8.contains(where: \.isBlank) else { return String(trimmed) }
        return trimmed.filter { !$0.isNewline && $0 != "\t" }
    }
}

/// Writes equivalent locations identically, so that duplicates can be found.
///
/// Scheme and host become lower case. The scheme's default port and the fragment are dropped, an empty path becomes
/// `/`, and paths and queries are encoded as they are sent. Escapes of unreserved characters are decoded, other escapes
/// get capital digits (RFC 3986, 6.2.2 and 6.2.3). File paths and `data` URLs stay as they are.
package enum URLNormalizer {
    package static func normalize(_ location: String) -> String {
        guard URLParts(location[...])?.authority != nil else { return location }
        let location = AddressEncoder.encode(location)
        guard let parts = URLParts(location[...]), !isNormal(parts) else { return location }
        let scheme = parts.scheme.lowercased()
        let query = parts.query.map { "?\(normalized($0))" } ?? ""
        let path = parts.path.isEmpty ? "/" : normalized(parts.path)
        return "\(scheme)://\(authority(parts, scheme))\(path)\(query)"
    }

    /// Returns whether the encoded URL is certainly normalized.
    ///
    /// Most URLs are, and need no new string. The result may be false for a normalized URL.
    private static func isNormal(_ parts: URLParts) -> Bool {
        guard parts.fragment == nil, !parts.path.isEmpty, let authority = parts.authority,
            !parts.scheme.utf8.contains(where: isCapital),
            authority.utf8.allSatisfy({ $0 < 0x80 && !isCapital($0) }), !parts.path.utf8.contains(percent),
            parts.query?.utf8.contains(percent) != true
        else { return false }
        guard let port = parts.hostPort.port else { return true }
        return !port.isEmpty && port != ports[String(parts.scheme)] ?? ""
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (65...90).contains(byte) }

    /// Returns the encoded text with its escapes normalized.
    private static func normalized(_ text: Substring) -> String {
        var result: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == percent, let escaped = AddressEncoder.escapedByte(rest) else {
                result.append(byte)
                continue
            }
            rest = rest.dropFirst(2)
            if isUnreserved(escaped) {
                result.append(escaped)
            } else {
                AddressEncoder.appendEscape(of: escaped, to: &result)
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
