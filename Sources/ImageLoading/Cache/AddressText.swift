import Foundation
import Secrets

/// Addresses as they may be written down: without credentials and secret values.
enum AddressText {
    /// The address without `user:password@`, with `…` for each value of its query or fragment whose name tells of a
    /// secret; anything else as it is.
    static func shown(_ address: String) -> String {
        guard address.utf8.contains(where: { "?#@".utf8.contains($0) }), let mark = address.range(of: "://"),
            isScheme(address[..<mark.lowerBound])
        else { return address }
        var rest = address[mark.upperBound...]
        let fragment = cut(&rest, at: "#").map { "#" + SecretValues.hidden(in: $0) } ?? ""
        let query = cut(&rest, at: "?").map { "?" + SecretValues.hidden(in: $0) } ?? ""
        let path = rest.firstIndex(of: "/") ?? rest.endIndex
        let host = rest[..<path].lastIndex(of: "@").map { rest.index(after: $0) } ?? rest.startIndex
        return "\(address[..<mark.upperBound])\(rest[host...])\(query)\(fragment)"
    }

    private static func isScheme(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// Takes off and returns what follows the first such character.
    private static func cut(_ text: inout Substring, at mark: Character) -> Substring? {
        guard let place = text.firstIndex(of: mark) else { return nil }
        defer { text = text[..<place] }
        return text[text.index(after: place)...]
    }
}
