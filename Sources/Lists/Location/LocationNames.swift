import Foundation

/// The name of a picture and the host or folder it comes from, for display.
///
/// Searches bytes and makes no `URL`, as a list may have a million lines.
package struct LocationNames {
    /// The last component of the path without percent escapes, else the host, else the scheme; of a `data` URL its
    /// type.
    package let name: String
    /// The host of a URL without its port, or the folder of a path.
    package let place: String

    /// Reads a URL or a path of a list; ignores credentials and queries.
    package init(_ location: String) {
        guard let parts = URLParts(location[...]) else {
            let (folder, last) = Self.split(location[...])
            (name, place) = (last.isEmpty ? location : String(last), String(folder))
            return
        }
        if parts.authority == nil, parts.scheme.lowercased() == "data" {
            (name, place) = (String(parts.path.prefix { $0 != ";" && $0 != "," }), "data")
            return
        }
        let (folder, last) = Self.split(parts.path)
        let host = String(parts.hostPort.host)
        place = host.isEmpty ? String(folder) : host
        let encoded = last.isEmpty ? (host.isEmpty ? String(parts.scheme) : host) : String(last)
        name = encoded.utf8.contains(UInt8(ascii: "%")) ? encoded.removingPercentEncoding ?? encoded : encoded
    }

    /// Returns the last component that is not empty, and the text before it.
    private static func split(_ path: Substring) -> (folder: Substring, last: Substring) {
        let slash = UInt8(ascii: "/")
        var trimmed = path.utf8[...]
        while trimmed.last == slash { trimmed.removeLast() }
        let start = trimmed.lastIndex(of: slash).map { trimmed.index(after: $0) } ?? trimmed.startIndex
        return (Substring(trimmed[..<start]), Substring(trimmed[start...]))
    }
}
