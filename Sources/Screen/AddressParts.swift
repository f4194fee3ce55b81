/// The host, folder and file of a location.
package struct AddressParts: Equatable {
    /// The folder, without the scheme and host of a URL and without the last `/`: `2026/07`.
    package let path: Substring
    /// The host and port of a URL; empty for a path.
    package let host: Substring
    /// The last component; for a URL without its query.
    package let file: Substring
    /// Everything before the last component: `https://images.example.org/2026/07/`.
    package let lead: Substring
    /// The last component with the query: `dunes.jpg?w=80`.
    package let rest: Substring

    package init(_ location: String) {
        let text = location[...]
        let scheme = text.firstRange(of: "://")
        let body = scheme.map { text[$0.upperBound...] } ?? text
        let plain = scheme == nil ? body : body.prefix { $0 != "?" && $0 != "#" }
        let cut = plain.lastIndex(of: "/").map { plain.index(after: $0) } ?? plain.startIndex
        file = plain[cut...]
        lead = text[..<cut]
        rest = text[cut...]
        let folder = plain[..<cut].hasSuffix("/") ? plain[..<cut].dropLast() : plain[..<cut]
        guard scheme != nil else {
            (host, path) = (text[..<text.startIndex], folder)
            return
        }
        host = folder.prefix { $0 != "/" }
        path = folder[host.endIndex...].drop { $0 == "/" }
    }

    /// The host and folder: `images.example.org/2026/07`.
    package var folder: String { host.isEmpty ? String(path) : path.isEmpty ? String(host) : "\(host)/\(path)" }
}

/// Proposed file names, made from a picture's name that a server or a list chose.
package enum FileName {
    /// Returns the name without path separators and without a leading dot or tilde.
    package static func safe(_ name: String) -> String {
        let text = String(name.map { $0 == "/" || $0 == "\0" ? "_" : $0 }.drop { $0 == "." || $0 == "~" })
        return text.isEmpty ? "picture" : text
    }
}
