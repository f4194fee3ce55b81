/// A URL cut into its parts, each as it was written (RFC 3986, appendix B).
///
/// It searches bytes, not characters: all marks are ASCII, and a list has a million lines.
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
        guard let colon = Self.place(of: UInt8(ascii: ":"), in: text), Self.isScheme(text[..<colon]) else { return nil }
        scheme = text[..<colon]
        var rest = text[text.utf8.index(after: colon)...]
        fragment = Self.cut(&rest, at: UInt8(ascii: "#"))
        query = Self.cut(&rest, at: UInt8(ascii: "?"))
        if rest.utf8.starts(with: "//".utf8) {
            rest = Substring(rest.utf8.dropFirst(2))
            let slash = Self.place(of: UInt8(ascii: "/"), in: rest) ?? rest.endIndex
            authority = rest[..<slash]
            rest = rest[slash...]
        }
        path = rest
    }

    /// The authority without `user:password@`.
    var hostAndPort: Substring {
        guard let authority, let at = Self.lastPlace(of: UInt8(ascii: "@"), in: authority) else {
            return authority ?? ""
        }
        return authority[authority.utf8.index(after: at)...]
    }

    /// The host, an IPv6 address with its brackets, and the text after its colon if there is one.
    var hostPort: (host: Substring, port: Substring?) {
        let whole = hostAndPort
        let start = Self.lastPlace(of: UInt8(ascii: "]"), in: whole) ?? whole.startIndex
        guard let colon = Self.place(of: UInt8(ascii: ":"), in: whole[start...]) else { return (whole, nil) }
        return (whole[..<colon], whole[whole.utf8.index(after: colon)...])
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || [43, 45, 46].contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (65...90).contains(byte) || (97...122).contains(byte)
    }

    private static func place(of mark: UInt8, in text: Substring) -> Substring.Index? {
        place(in: text) { $0.firstIndex(of: mark) }
    }

    private static func lastPlace(of mark: UInt8, in text: Substring) -> Substring.Index? {
        place(in: text) { $0.lastIndex(of: mark) }
    }

    /// Searches the bytes where they lie: by a text's own indices that takes five times as long.
    private static func place(in text: Substring, _ find: (UnsafeBufferPointer<UInt8>) -> Int?) -> Substring.Index? {
        let offset = text.utf8.withContiguousStorageIfAvailable(find) ?? Array(text.utf8).withUnsafeBufferPointer(find)
        return offset.map { text.utf8.index(text.startIndex, offsetBy: $0) }
    }

    /// Takes off and returns what follows the first such byte.
    private static func cut(_ text: inout Substring, at mark: UInt8) -> Substring? {
        guard let place = place(of: mark, in: text) else { return nil }
        let tail = text[text.utf8.index(after: place)...]
        text = text[..<place]
        return tail
    }
}
