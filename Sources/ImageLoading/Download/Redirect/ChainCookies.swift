import Foundation

/// The cookies that servers set in one chain of redirects, each for its own origin (RFC 6265); gone with the transfer.
///
/// A chain is short, so a cookie holds for all paths of its origin, and its dates mean nothing but for `Max-Age=0`.
struct ChainCookies {
    private struct Cookie {
        let name: Substring
        let value: Substring
    }

    /// For each origin; together a field that servers take.
    private static let limit = (count: 20, bytes: 4_096)
    private var cookies: [Origin: [Cookie]] = [:]

    /// Takes in the `Set-Cookie` fields of an answer.
    mutating func take(_ fields: [String], from url: URL) {
        for field in fields { take(field, from: Origin(url)) }
    }

    /// The `Cookie` field for an address; nil where there is nothing to send.
    func field(for url: URL) -> String? {
        guard !cookies.isEmpty, let kept = cookies[Origin(url)], !kept.isEmpty else { return nil }
        return kept.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    private mutating func take(_ field: String, from origin: Origin) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
        guard let pair = parts.first, let sign = pair.firstIndex(of: "=") else { return }
        let cookie = Cookie(
            name: Self.trimmed(pair[..<sign]), value: Self.trimmed(pair[pair.index(after: sign)...]))
        guard !cookie.name.isEmpty, pair.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return }
        var kept = cookies[origin, default: []]
        kept.removeAll { $0.name == cookie.name }
        if !parts.dropFirst().contains(where: Self.ends) { kept.append(cookie) }
        let bytes = kept.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 3 }
        guard kept.count <= Self.limit.count, bytes <= Self.limit.bytes else { return }
        cookies[origin] = kept
    }

    private static func ends(_ attribute: Substring) -> Bool {
        let words = attribute.split(separator: "=", maxSplits: 1).map(trimmed)
        guard words.count == 2, words[0].lowercased() == "max-age" else { return false }
        return Int(words[1]).map { $0 <= 0 } ?? words[1].hasPrefix("-")
    }

    private static func trimmed(_ text: Substring) -> Substring {
        text.drop { $0 == " " || $0 == "\t" }.trimmingSuffix { $0 == " " || $0 == "\t" }
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while isSpare: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, isSpare(last) { rest.removeLast() }
        return rest
    }
}
