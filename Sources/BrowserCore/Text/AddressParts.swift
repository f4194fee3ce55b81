/// A location cut into what names its host, its folder and its file.
struct AddressParts: Equatable {
    /// Without the scheme and the host of a URL, and without the last `/`: `2026/07`.
    let path: Substring
    /// The host of a URL with its port; empty for a path.
    let host: Substring
    /// The last component; of a URL without its query.
    let file: Substring
    /// All before the last component: `https://images.example.org/2026/07/`.
    let lead: Substring
    /// The last component and the query: `dunes.jpg?w=80`.
    let rest: Substring

    init(_ location: String) {
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

    /// The host and the folder: `images.example.org/2026/07`.
    var folder: String { host.isEmpty ? String(path) : path.isEmpty ? String(host) : "\(host)/\(path)" }
}
