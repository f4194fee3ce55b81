/// A URL cut into its parts, each as it was written (RFC 3986, appendix B).
struct URLParts {
    var scheme: Substring
    /// What stands between `//` and the path; nil when there is no `//`.
    var authority: Substring?
    var path: Substring
    /// After `?`; nil when there is none.
    var query: Substring?
    /// After `#`; nil when there is none.
    var fragment: Substring?

    /// Nil when the text does not begin with a scheme and a colon.
    init?(_ text: Substring) {
        guard let colon = text.firstIndex(of: ":"), Self.isScheme(text[..<colon]) else { return nil }
        scheme = text[..<colon]
        var rest = text[text.index(after: colon)...]
        fragment = Self.cut(&rest, at: "#")
        query = Self.cut(&rest, at: "?")
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let slash = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = rest[..<slash]
            rest = rest[slash...]
        }
        path = rest
    }

    /// The authority without `user:password@`.
    var hostAndPort: Substring {
        guard let authority, let at = authority.lastIndex(of: "@") else { return authority ?? "" }
        return authority[authority.index(after: at)...]
    }

    /// The host, an IPv6 address with its brackets, and the text after its colon if there is one.
    var hostPort: (host: Substring, port: Substring?) {
        let whole = hostAndPort
        let start = whole.lastIndex(of: "]") ?? whole.startIndex
        guard let colon = whole[start...].firstIndex(of: ":") else { return (whole, nil) }
        return (whole[..<colon], whole[whole.index(after: colon)...])
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || [43, 45, 46].contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (65...90).contains(byte) || (97...122).contains(byte)
    }

    /// Takes off and returns what follows the first such character.
    private static func cut(_ text: inout Substring, at character: Character) -> Substring? {
        guard let place = text.firstIndex(of: character) else { return nil }
        let tail = text[text.index(after: place)...]
        text = text[..<place]
        return tail
    }
}
