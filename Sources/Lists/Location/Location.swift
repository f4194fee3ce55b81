import AlcedoSupport
import FoundationEssentials

/// Turns the text of a list or an argument into a location that a picture can be loaded from.
enum Location {
    /// Returns an `http` or `https` URL as it is sent, a `data` URL as written, or an absolute path.
    ///
    /// A `file` URL becomes its path. A relative path starts from the folder. Accesses no file and no network.
    static func resolve(_ text: String, from folder: String) throws(LocationError) -> String {
        guard !text.isEmpty else { throw .empty }
        let isEncoded = AddressEncoder.isEncoded(text)
        guard isEncoded || !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw .controlCharacter }
        guard let parts = URLParts(text[...]) else { return try path(text, folder) }
        switch parts.scheme.lowercased() {
        case "http", "https":
            try checkWeb(parts)
            return isEncoded ? text : AddressEncoder.encode(text)
        case "data":
            guard text.contains(",") else { throw .dataWithoutComma }
            return text
        case "file": return try filePath(parts)
        case let scheme where parts.authority != nil || opaque.contains(scheme): throw .scheme(scheme)
        default: return try path(text, folder)
        }
    }

    /// Returns the location of a command-line argument.
    ///
    /// - Throws: ``ListError/badLocation(argument:reason:)``, with the argument redacted.
    static func resolve(argument: String, from folder: String) throws(ListError) -> String {
        do {
            return try resolve(argument, from: folder)
        } catch {
            throw .badLocation(argument: Redaction.display(argument), reason: error.description)
        }
    }

    /// Returns the first part of a path that may be an address without its scheme, with the slashes before it: a host with
    /// a port, `localhost`, an IP address, or a name such as `www.example.com`; nil for other paths.
    static func host(beginning text: String) -> Substring? {
        let start = text.utf8.starts(with: "//".utf8) ? text.utf8.index(text.startIndex, offsetBy: 2) : text.startIndex
        guard let slash = text[start...].utf8.firstIndex(of: UInt8(ascii: "/")), slash > start,
            namesHost(text[start..<slash])
        else { return nil }
        return text[..<slash]
    }

    private static func namesHost(_ text: Substring) -> Bool {
        // A folder may be called `[2024]`.
        if text.hasPrefix("[") { return URLParts("http://\(text)").map { isIPv6($0.hostPort.host) } == true }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let labels = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, !labels.contains(where: { $0.isEmpty || !$0.utf8.allSatisfy(isHostByte) }) else {
            return false
        }
        if parts.count == 2 { return UInt16(parts[1]) != nil && (labels.count > 1 || parts[0] == "localhost") }
        if labels.count == 4, labels.allSatisfy({ UInt8($0) != nil }) { return true }
        guard labels.count > 1, let last = labels.last, (2...24).contains(last.count),
            !ArchiveFileDetector.extensions.contains(".\(last.lowercased())")
        else { return false }
        return last.utf8.allSatisfy { $0 >= 0x80 || $0.isASCIILetter }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        byte.isDigit || byte == UInt8(ascii: "-") || byte.isASCIILetter || byte >= 0x80
    }

    /// Schemes that are written without `//` and never name a file.
    private static let opaque: Set<String> = ["javascript", "mailto", "blob", "about", "tel", "urn", "magnet"]

    private static func path(_ text: String, _ folder: String) throws(LocationError) -> String {
        // Few paths have a colon, and a search for a string is slower.
        if text.utf8.contains(UInt8(ascii: ":")), text.contains("http://") || text.contains("https://") {
            throw .textBeforeAddress
        }
        if text.utf8.first == UInt8(ascii: "/") { return text }
        let relative = text.hasPrefix("./") ? text.dropFirst(2) : text[...]
        return folder.hasSuffix("/") ? folder + relative : "\(folder)/\(relative)"
    }

    private static func checkWeb(_ parts: URLParts) throws(LocationError) {
        guard let authority = parts.authority else { throw .noSlashes }
        let (host, port) = parts.hostPort
        guard !host.isEmpty else { throw .noHost }
        guard isHost(host), !hasSpace(authority) else { throw .host }
        if let port, !port.isEmpty, UInt16(port).map({ $0 > 0 }) != true || port.hasPrefix("+") { throw .port }
    }

    private static func hasSpace(_ text: Substring) -> Bool {
        let mayHaveSpace = text.utf8.contains { $0 == 0x20 || $0 >= 0x80 }
        return mayHaveSpace && text.unicodeScalars.contains(where: \.properties.isWhitespace)
    }

    private static func isHost(_ host: Substring) -> Bool {
        if host.utf8.first == UInt8(ascii: "[") { return isIPv6(host) }
        return host.utf8.first != UInt8(ascii: ".") && !host.utf8.contains { forbidden.contains($0) }
    }

    /// Returns whether a host has brackets and the characters of an IPv6 address.
    private static func isIPv6(_ host: Substring) -> Bool {
        host.hasSuffix("]") && host.contains(":")
            && host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }

    private static let forbidden = Array("\\^`{|}<>\"[]@".utf8)

    private static func filePath(_ parts: URLParts) throws(LocationError) -> String {
        guard ["", "localhost"].contains(parts.hostAndPort.lowercased()) else { throw .remoteFile }
        guard parts.path.hasPrefix("/") else { throw .relativeFile }
        let bytes = AddressEncoder.bytes(of: parts.path)
        let escapes = parts.path.split(separator: "%", omittingEmptySubsequences: false).dropFirst()
        guard !bytes.contains(0), escapes.allSatisfy({ AddressEncoder.escapedByte($0.utf8) != nil }) else {
            throw .escape
        }
        return String(pathBytes: bytes)
    }
}

/// The reason why a text is not a location.
enum LocationError: Error, Hashable, CustomStringConvertible {
    case empty, controlCharacter, space, noScheme, noSlashes, noHost, host, port, escape, remoteFile, relativeFile
    case dataWithoutComma, notUTF8, textBeforeAddress, secondAddress
    case scheme(String)

    var description: String {
        switch self {
        case .empty: "no URL and no path"
        case .controlCharacter: "the location contains a control character"
        case .space: "a space in a URL; write it as %20"
        case .noScheme: "no folder of that name; an address begins with https:// or http://"
        case .noSlashes: "two slashes are missing after the scheme"
        case .noHost: "a URL without a host"
        case .host: "the host name contains characters that are not allowed"
        case .port: "the port is not a number from 1 to 65535"
        case .escape: "a percent sign without two hexadecimal digits, or the escape %00"
        case .remoteFile: "a file URL that names another machine"
        case .relativeFile: "a file URL whose path does not begin with a slash"
        case .dataWithoutComma: "a data URL without a comma"
        case .notUTF8: "the address is not valid UTF-8"
        case .secondAddress: "two addresses in a line; write a TAB between them"
        case .textBeforeAddress: "there is text before the address"
        case .scheme(let scheme): "the scheme \(scheme.prefix(20)) is not one of http, https, file, data"
        }
    }
}

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
        name = encoded.utf8.contains(UInt8(ascii: "%")) ? String(pathBytes: AddressEncoder.bytes(of: encoded)) : encoded
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
