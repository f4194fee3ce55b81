import Foundation

/// What the relative locations of a list start from.
public enum ListBase: Hashable, Sendable {
    /// An absolute path.
    case folder(String)
    /// An `http` or `https` URL, usually that of the page.
    case web(String)

    /// Says what the argument of `--base` means: a URL, or a folder.
    ///
    /// `folder` is what a relative path starts from, by default the working folder. Nothing is looked up.
    /// Throws ``ListError/badLocation(argument:reason:)``.
    public static func recognise(
        _ argument: String, from folder: String = FileManager.default.currentDirectoryPath
    ) throws(ListError) -> ListBase {
        let shown = Redaction.display(argument)
        do {
            let location = try Location.resolve(argument, from: folder)
            if location.utf8.first == UInt8(ascii: "/") { return .folder(location) }
            if !location.lowercased().hasPrefix("data:") { return .web(location) }
        } catch {
            throw .badLocation(argument: shown, reason: error.description)
        }
        throw .badLocation(argument: shown, reason: "a data URL is no place to start from")
    }

    /// The place of what a list in lines says: a URL, or a path as the system writes it.
    func location(_ text: String) throws(LocationFault) -> String {
        switch self {
        case .folder(let folder): return try Location.resolve(text, from: folder)
        case .web(let url):
            guard !text.isEmpty else { throw .empty }
            return try Location.resolve(URLReference.resolve(text, against: url), from: "/")
        }
    }

    /// The place of a field of plain text, which may have more around it.
    func location(plain text: Substring) throws(LocationFault) -> String {
        try location(String(plainAddress(in: text)))
    }

    /// The address in a field of plain text.
    func plainAddress(in text: Substring) throws(LocationFault) -> Substring {
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
