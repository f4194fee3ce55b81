import AlcedoSupport
import FoundationEssentials

/// A picture that a list names.
///
/// Locations and headers keep the credentials that the list gives; ``Redaction`` removes them for display.
package struct ListEntry: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case picture
        /// Another list, for example one that a sitemap index names.
        ///
        /// The caller decides whether to read it.
        case list
        /// A folder in the folder that is read.
        case folder
    }

    /// The line on which the entry begins, from 1; in a folder, the number of the picture.
    package var line: Int
    /// An absolute `http`, `https` or `data` URL, or an absolute file path.
    package var location: String
    package var title: String?
    /// Other locations of the same picture, best first.
    package var alternatives: [String]
    package var kind = Kind.picture
    /// The cache key to use instead of the location, if the list gives one.
    package var key: String?
    /// The location of a smaller version, for metered connections.
    package var lowData: String?
    /// Request headers for this picture, in the order of the list.
    package var headers: [ListHeader] = []
    /// From 0 to 1; higher values are loaded sooner.
    package var priority: Double?
    /// How long the picture may be kept, at most 100 years.
    package var timeToLive: Duration?
    /// A chain of processors in the syntax of the command line, not yet checked.
    package var process: String?
    /// The SHA-256 of the picture's bytes, 64 hexadecimal digits in lower case.
    package var sha256: String?
    /// Whether the picture is pinned, so that eviction does not remove it.
    package var pin: Bool?
    package var tags: [String] = []
    /// The other columns of a table or members of an object, as ``ColumnChoice`` wants them.
    package var columns: [String: JSONValue] = [:]
    /// Whether the list came from the network: bytes from another host are then not cached under the picture's key.
    package var isFromNetwork = false

    package init(line: Int, location: String, title: String? = nil, alternatives: [String] = []) {
        (self.line, self.location, self.title, self.alternatives) = (line, location, title, alternatives)
    }
}

extension ListEntry {
    /// Returns whether a text is a web address on another host than the picture.
    package func isOfAnotherHost(_ text: String) -> Bool {
        guard let url = WebAddress.url(text), ["http", "https"].contains(url.scheme?.lowercased()) else { return false }
        return url.hostKey != WebAddress.url(location)?.hostKey
    }
}

/// A request header that a list gives; its value may be a secret.
package struct ListHeader: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
}

/// A result of reading a list, in the order of the list.
package enum ListEvent: Hashable, Sendable {
    case entry(ListEntry)
    /// A part of a line that cannot be used.
    ///
    /// Its entry follows without that part.
    case warning(line: Int, reason: String)
    /// A line, or a part of it, that names no usable picture; reading continues.
    ///
    /// The reason quotes at most a scheme or the name of a folder, never a whole URL.
    case rejected(line: Int, reason: String)
}

/// The reason why a list cannot be read, or not to its end.
///
/// A bad line is not an error but a ``ListEvent/rejected(line:reason:)``.
package enum ListError: Error, Hashable, Sendable {
    case missing(file: String)
    /// The system refused to open or read the file, or the file is damaged.
    case unreadable(file: String, line: Int?, reason: String)
    case notAList(file: String, line: Int?, reason: String)
    /// The argument is a URL that no picture can be loaded from.
    case badLocation(argument: String, reason: String)
    /// The reading task was cancelled.
    case cancelled
}

extension ListError: CustomStringConvertible {
    /// One sentence: the file, the line where one is known, and what is wrong.
    package var description: String {
        switch self {
        case .missing(let file): "\(file): no such file or folder\(Self.hint(for: file))"
        case .unreadable(let file, let line, let reason): "\(Self.position(file, line)): cannot be read: \(reason)"
        case .notAList(let file, let line, let reason): "\(Self.position(file, line)): is not a list: \(reason)"
        case .badLocation(let argument, let reason): "\(argument): \(reason)"
        case .cancelled: "reading the list was cancelled"
        }
    }

    /// Returns a hint if the name looks like an address without a scheme, or like a command.
    private static func hint(for name: String) -> String {
        let isHost = name.hasPrefix("www.") || Location.host(beginning: name) != nil
        if isHost { return "; a URL begins with https:// or http://" }
        return name.allSatisfy(\.isLetter) ? "; alcedo --help lists the commands" : ""
    }

    private static func position(_ file: String, _ line: Int?) -> String {
        line.map { "\(file):\($0)" } ?? file
    }
}
