import Foundation

/// An address as people, lists and servers write it, made into a URL.
public enum WebAddress {
    /// The URL; nil when the text is none.
    ///
    /// What a path, a query or a fragment cannot hold (RFC 3986, section 3) is percent-encoded, and so is a `%` that
    /// begins no escape; escapes stay as they are. Foundation alone would encode those again as soon as one other
    /// character is wrong: `a%2Fb[1]` would become `a%252Fb%5B1%5D`.
    public static func url(_ text: String, relativeTo base: URL? = nil) -> URL? {
        // Most addresses are written as they should be.
        if base == nil, let url = URL(string: text, encodingInvalidCharacters: false) { return url }
        return URL(string: encoded(text), relativeTo: base)
    }

    static func encoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let start = authorityEnd(bytes)
        var hasFragment = false
        var result: [UInt8] = []
        for place in bytes.indices[start...] {
            let byte = bytes[place]
            let isMark = byte == hash && !hasFragment
            if isMark { hasFragment = true }
            if isMark || plain.contains(byte) || byte == percent && isEscape(bytes, at: place) {
                result.append(byte)
            } else {
                result += [percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return result.count == bytes.count - start ? text : String(decoding: bytes[..<start] + result, as: UTF8.self)
    }

    /// Where the path begins; before it nothing is encoded, as hosts have a way of their own for what is not ASCII.
    private static func authorityEnd(_ bytes: [UInt8]) -> Int {
        let slash = UInt8(ascii: "/")
        guard let first = bytes.firstIndex(of: slash), bytes[first...].starts(with: "//".utf8),
            first == 0 || bytes[first - 1] == UInt8(ascii: ":"), !bytes[..<first].contains(where: marks.contains)
        else { return 0 }
        return bytes[(first + 2)...].firstIndex { $0 == slash || marks.contains($0) } ?? bytes.endIndex
    }

    private static func isEscape(_ bytes: [UInt8], at place: Int) -> Bool {
        let tail = bytes[place...].dropFirst().prefix(2)
        return tail.count == 2 && tail.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    }

    private static let percent = UInt8(ascii: "%")
    private static let hash = UInt8(ascii: "#")
    private static let digits = Array("0123456789ABCDEF".utf8)
    private static let marks = Set("?#".utf8)
    private static let plain = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?".utf8)
}
