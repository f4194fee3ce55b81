/// A tag, parsed on demand.
struct MarkupTag: Hashable {
    /// The name in lower case.
    let name: String
    private let rest: ArraySlice<UInt8>

    /// Creates a tag from the bytes between `<` and `>`.
    init(_ bytes: ArraySlice<UInt8>) {
        let end = bytes.firstIndex { $0.isBlank || $0 == UInt8(ascii: "/") } ?? bytes.endIndex
        name = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
        rest = bytes[end...]
    }

    /// The name without its namespace prefix.
    var localName: String {
        name.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(name[name.utf8.index(after: $0)...]) } ?? name
    }

    var isSelfClosing: Bool { rest.last == UInt8(ascii: "/") }

    /// Returns the values of the attributes by their names in lower case, with references resolved.
    ///
    /// The first of several attributes with the same name counts.
    func attributes() -> [String: String] {
        var found: [String: String] = [:]
        var bytes = rest
        while true {
            bytes = bytes.drop { $0.isBlank || $0 == UInt8(ascii: "/") }
            guard let first = bytes.first else { return found }
            // A name may begin with an equals sign, as in browsers. So every round consumes a byte.
            let name = [first] + Self.consume(&bytes, from: 1) { Self.endsName($0) }
            let value = Self.value(&bytes)
            let key = String(decoding: name, as: UTF8.self).lowercased()
            if found[key] == nil { found[key] = MarkupReference.resolve(value) }
        }
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte.isBlank || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
    }

    /// Consumes and returns the value behind a name; an empty text if it has none.
    private static func value(_ bytes: inout ArraySlice<UInt8>) -> String {
        let next = bytes.drop(while: \.isBlank)
        guard next.first == UInt8(ascii: "=") else { return "" }
        bytes = next.dropFirst().drop(while: \.isBlank)
        let value: ArraySlice<UInt8>
        if let quote = bytes.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            value = consume(&bytes, from: 1) { $0 == quote }
            bytes = bytes.dropFirst()
        } else {
            value = consume(&bytes, from: 0, until: \.isBlank)
        }
        return String(decoding: value, as: UTF8.self)
    }

    /// Consumes the bytes up to an end mark; returns them without the first `count`.
    private static func consume(
        _ bytes: inout ArraySlice<UInt8>, from count: Int, until isEnd: (UInt8) -> Bool
    ) -> ArraySlice<UInt8> {
        let body = bytes.dropFirst(count)
        let end = body.firstIndex(where: isEnd) ?? body.endIndex
        bytes = bytes[end...]
        return body[..<end]
    }
}
