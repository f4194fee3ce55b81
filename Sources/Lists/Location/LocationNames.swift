import Foundation

/// What a location's parts say to people: what the picture is called, and where it is.
///
/// It searches bytes and makes no URL, as a list has a million lines.
public struct LocationNames {
    /// The last component of the path without percent escapes, else the host, else the scheme; of a `data` URL its type.
    public let name: String
    /// The host of a URL without its port, the folder of a path.
    public let place: String

    /// Reads a URL or a path as a list has it; credentials and queries are left out.
    public init(_ location: String) {
        guard let parts = URLParts(location[...]) else {
            let (folder, last) = Self.cut(location[...])
            (name, place) = (last.isEmpty ? location : String(last), String(folder))
            return
        }
        if parts.authority == nil, parts.scheme.lowercased() == "data" {
            (name, place) = (String(parts.path.prefix { $0 != ";" && $0 != "," }), "data")
            return
        }
        let (folder, last) = Self.cut(parts.path)
        let host = String(parts.hostPort.host)
        place = host.isEmpty ? String(folder) : host
        let encoded = last.isEmpty ? (host.isEmpty ? String(parts.scheme) : host) : String(last)
        name = encoded.utf8.contains(UInt8(ascii: "%")) ? encoded.removingPercentEncoding ?? encoded : encoded
    }

    /// The last component that is not empty, and what is before it.
    private static func cut(_ path: Substring) -> (folder: Substring, last: Substring) {
        let slash = UInt8(ascii: "/")
        var end = path.endIndex
        while end > path.startIndex, path.utf8[path.utf8.index(before: end)] == slash {
            end = path.utf8.index(before: end)
        }
        let whole = path[..<end]
        guard let last = whole.utf8.lastIndex(of: slash) else { return ("", whole) }
        let start = whole.utf8.index(after: last)
        return (whole[..<start], whole[start...])
    }
}
