import Secrets

/// Finds the URL a reference of a document means (RFC 3986, 5.2).
enum URLReference {
    /// The reference itself when it has a scheme, otherwise its place seen from the base.
    ///
    /// A reference that names only a host takes `https` where the base is a file.
    static func resolve(_ reference: String, against base: String) -> String {
        guard URLParts(reference[...]) == nil, let base = URLParts(base[...]) else { return reference }
        if reference.hasPrefix("//") { return (base.scheme == "file" ? "https:" : "\(base.scheme):") + reference }
        let isTail: (UInt8) -> Bool = { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let end = reference.utf8.firstIndex(where: isTail) ?? reference.endIndex
        let origin = "\(base.scheme)://\(base.authority ?? "")"
        if end > reference.startIndex {
            return origin + AddressRule.withoutDots(merge(reference[..<end], into: base.path)) + reference[end...]
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
