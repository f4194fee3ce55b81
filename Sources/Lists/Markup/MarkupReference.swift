/// Character references: the five predefined names of XML, and numbers.
///
/// Other entities are never expanded.
enum MarkupReference {
    private static let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

    /// The maximum number of bytes between `&` and `;`.
    private static let limit = 10

    /// Returns the text with its references resolved.
    ///
    /// Other text behind `&` stays, as in browsers.
    static func resolve(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = text[...]
        while let ampersand = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<ampersand]
            rest = rest[ampersand...]
            if let (character, end) = first(of: rest) {
                result += character
                rest = rest[end...]
            } else {
                result += "&"
                rest = rest.dropFirst(bytes: 1)
            }
        }
        return result + rest
    }

    /// Returns whether the text refers to an entity that is not predefined.
    static func hasForeignEntity(_ text: String) -> Bool {
        var rest = text[...]
        while let ampersand = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
            rest = rest[ampersand...]
            let name = rest.utf8.dropFirst().prefix {
                !$0.isBlank && $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: ";")
            }
            let isClosed = rest.utf8[name.endIndex...].first == UInt8(ascii: ";")
            if isClosed, !name.isEmpty, first(of: rest) == nil { return true }
            rest = rest.dropFirst(bytes: 1)
        }
        return false
    }

    /// Returns the character of the reference at the beginning, and the end of the reference.
    private static func first(of text: Substring) -> (String, String.Index)? {
        let body = text.utf8.dropFirst().prefix(limit + 1)
        guard let end = body.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let after = text.utf8.index(after: end)
        let name = text[body.startIndex..<end]
        if let character = names[String(name)] { return (character, after) }
        guard name.utf8.first == UInt8(ascii: "#") else { return nil }
        let digits = name.dropFirst(bytes: 1)
        let isHex = digits.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let code = isHex ? UInt32(digits.dropFirst(bytes: 1), radix: 16) : UInt32(digits)
        return code.flatMap(Unicode.Scalar.init).map { (String($0), after) }
    }
}
