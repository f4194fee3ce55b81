/// The query parameters that do not belong to a picture's cache key, such as signatures that differ at each run.
package struct IgnoredQuery: Hashable, Sendable {
    private var names: Set<Substring> = []
    /// The beginnings of names that were given with `*` at their end.
    private var beginnings: [Substring] = []

    /// Reads names between commas, as in `sig,Expires,X-Amz-*`; none by default.
    package init(_ text: String = "") {
        for name in text.split(separator: ",").map(\.trimmed) where !name.isEmpty {
            if name.hasSuffix("*") { beginnings.append(name.dropLast()) } else { names.insert(name) }
        }
    }

    /// Returns the location without these parameters and its fragment; nil if it has none of them, or is no web address.
    package func key(of location: String) -> String? {
        guard !names.isEmpty || !beginnings.isEmpty, PlainAddress.isWeb(location[...]),
            let mark = location.utf8.firstIndex(of: UInt8(ascii: "?"))
        else { return nil }
        let query = location[location.utf8.index(after: mark)...].prefix { $0 != "#" }
        let parts = query.split(separator: "&", omittingEmptySubsequences: false)
        let kept = parts.filter { !isIgnored($0.prefix { $0 != "=" }) }
        guard kept.count < parts.count else { return nil }
        return String(location[..<mark]) + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }

    private func isIgnored(_ name: Substring) -> Bool {
        names.contains(name) || beginnings.contains { name.hasPrefix($0) }
    }
}
