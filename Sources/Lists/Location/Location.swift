import Foundation
import Secrets

/// Turns what a list says into a place a picture can be loaded from.
enum Location {
    /// An `http` or `https` URL as it is sent, a `data` URL as written, or an absolute path; a `file` URL becomes its path.
    ///
    /// A relative path starts from the folder. Nothing is looked up.
    static func resolve(_ text: String, from folder: String) throws(LocationFault) -> String {
        guard !text.isEmpty else { throw .empty }
        let isSent = AddressRule.isSent(text)
        guard isSent || !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw .control }
        guard let parts = URLParts(text[...]) else { return try path(text, folder) }
        switch parts.scheme.lowercased() {
        case "http", "https":
            try checkWeb(parts)
            return isSent ? text : AddressRule.sent(text)
        case "data":
            guard text.contains(",") else { throw .dataWithoutComma }
            return text
        case "file": return try filePath(parts)
        case let scheme where parts.authority != nil || opaque.contains(scheme): throw .scheme(scheme)
        default: return try path(text, folder)
        }
    }

    /// Schemes that are written without `//` and never name a file.
    private static let opaque: Set<String> = ["javascript", "mailto", "blob", "about", "tel", "urn", "magnet"]

    private static func path(_ text: String, _ folder: String) throws(LocationFault) -> String {
        // Few paths have a colon; to look for a text takes longer.
        if text.utf8.contains(UInt8(ascii: ":")), text.contains("http://") || text.contains("https://") {
            throw .buried
        }
        if text.utf8.first == UInt8(ascii: "/") { return text }
        let relative = text.hasPrefix("./") ? text.dropFirst(2) : text[...]
        return folder.hasSuffix("/") ? folder + relative : "\(folder)/\(relative)"
    }

    private static func checkWeb(_ parts: URLParts) throws(LocationFault) {
        guard let authority = parts.authority else { throw .noSlashes }
        let (host, port) = parts.hostPort
        guard !host.isEmpty else { throw .noHost }
        guard isHost(host), !hasSpace(authority) else { throw .host }
        if let port, !port.isEmpty, UInt16(port).map({ $0 > 0 }) != true || port.hasPrefix("+") { throw .port }
    }

    private static func hasSpace(_ text: Substring) -> Bool {
        let hasMore = text.utf8.contains { $0 == 0x20 || $0 >= 0x80 }
        return hasMore && text.unicodeScalars.contains(where: \.properties.isWhitespace)
    }

    private static func isHost(_ host: Substring) -> Bool {
        if host.utf8.first == UInt8(ascii: "[") {
            return host.hasSuffix("]") && host.utf8.count > 3
                && host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        return host.utf8.first != UInt8(ascii: ".") && !host.utf8.contains { forbidden.contains($0) }
    }

    private static let forbidden = Array("\\^`{|}<>\"[]@".utf8)

    private static func filePath(_ parts: URLParts) throws(LocationFault) -> String {
        guard ["", "localhost"].contains(parts.hostAndPort.lowercased()) else { throw .remoteFile }
        guard parts.path.hasPrefix("/") else { throw .relativeFile }
        guard let path = String(parts.path).removingPercentEncoding, !path.contains("\0") else { throw .escape }
        return path
    }
}
