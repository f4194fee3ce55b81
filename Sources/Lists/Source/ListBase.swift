import Foundation

/// The location that the relative locations of a list start from.
package enum ListBase: Hashable, Sendable {
    /// An absolute path.
    case folder(String)
    /// An `http` or `https` URL, usually that of the page.
    case web(String)

    /// Returns the base that the argument of `--base` names: a URL or a folder.
    ///
    /// Does not check that it exists.
    ///
    /// - Parameter folder: The folder that a relative path starts from.
    /// - Throws: ``ListError/badLocation(argument:reason:)``.
    package static func detect(
        _ argument: String, from folder: String = FileManager.default.currentDirectoryPath
    ) throws(ListError) -> ListBase {
        let location = try Location.resolve(argument: argument, from: folder)
        if location.utf8.first == UInt8(ascii: "/") { return .folder(location) }
        guard location.lowercased().hasPrefix("data:") else { return .web(location) }
        throw .badLocation(argument: Redaction.display(argument), reason: "a data URL cannot be a base")
    }

    /// Returns the location of a URL or a path in the notation of the file system.
    func location(_ text: String) throws(LocationError) -> String {
        switch self {
        case .folder(let folder): return try Location.resolve(text, from: folder)
        case .web(let url):
            guard !text.isEmpty else { throw .empty }
            return try Location.resolve(URLReference.resolve(text, against: url), from: "/")
        }
    }

    /// Returns the location of a field of plain text, which may have quotes or a comment around its address.
    func location(plain text: Substring) throws(LocationError) -> String {
        try location(String(plainAddress(in: text)))
    }

    /// Returns the address in a field of plain text.
    func plainAddress(in text: Substring) throws(LocationError) -> Substring {
        try PlainAddress.text(of: text, isWeb: isWeb)
    }

    private var isWeb: Bool { if case .web = self { true } else { false } }

    /// The base as a URL, for documents whose relative locations are URL references.
    var url: String {
        switch self {
        case .web(let url): return url
        case .folder(let path):
            let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
            return escaped.hasSuffix("/") ? "file://\(escaped)" : "file://\(escaped)/"
        }
    }
}
