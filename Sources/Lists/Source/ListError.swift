/// Why a list cannot be read, or not to its end.
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
        let host = name.prefix { $0 != "/" }.split(separator: ".", omittingEmptySubsequences: false)
        let isHost = host.count > 1 && (host.last?.count ?? 0) > 1 && host.last?.allSatisfy(\.isLetter) == true
        if isHost, name.contains("/") || name.hasPrefix("www.") { return "; a URL begins with https:// or http://" }
        return name.allSatisfy(\.isLetter) ? "; alcedo --help lists the commands" : ""
    }

    private static func position(_ file: String, _ line: Int?) -> String {
        line.map { "\(file):\($0)" } ?? file
    }
}
