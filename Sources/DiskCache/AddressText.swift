import Foundation
import Support

/// The display form of addresses, without credentials and secret values.
package enum AddressText {
    /// Returns the address without `user:password@` and with `…` for secret values.
    ///
    /// A value of a path parameter, the query or the fragment is secret if its name says so. A text that is not an
    /// address stays as it is.
    package static func shown(_ address: String) -> String {
        guard address.utf8.contains(where: isMark),
            let colon = address.utf8.firstIndex(of: UInt8(ascii: ":")), isScheme(address.utf8[..<colon]),
            address.utf8[colon...].starts(with: "://".utf8)
        else { return address }
        let start = address.utf8.index(colon, offsetBy: 3)
        var rest = address[start...]
        let fragment = cut(&rest, at: hash).map { "#" + SecretRedactor.redact(query: $0) } ?? ""
        let query = cut(&rest, at: question).map { "?" + SecretRedactor.redact(query: $0) } ?? ""
        let path = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        let host = rest.utf8[..<path].lastIndex(of: at).map { rest.utf8.index(after: $0) } ?? rest.startIndex
        let place = rest[host..<max(host, path)] + SecretRedactor.redact(path: rest[path...])
        return SecretRedactor.removeCredentials(from: "\(address[..<start])\(place)\(query)\(fragment)")
    }

    // The marks are compared as bytes: all are ASCII, and this runs for every store.
    private static let question = UInt8(ascii: "?")
    private static let hash = UInt8(ascii: "#")
    private static let semicolon = UInt8(ascii: ";")
    private static let at = UInt8(ascii: "@")
    private static let percent = UInt8(ascii: "%")

    /// Returns whether the byte may precede something to hide, or be part of it.
    private static func isMark(_ byte: UInt8) -> Bool {
        byte == question || byte == hash || byte == at || byte == semicolon || byte == percent
    }

    private static func isScheme(_ bytes: Substring.UTF8View) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                (97...122).contains(byte | 0x20) || (48...57).contains(byte) || "+-.".utf8.contains(byte)
            }
    }

    /// Returns the text after the first such byte, and truncates `text` before it; nil if there is none.
    private static func cut(_ text: inout Substring, at mark: UInt8) -> Substring? {
        guard let place = text.utf8.firstIndex(of: mark) else { return nil }
        defer { text = text[..<place] }
        return text[text.utf8.index(after: place)...]
    }
}
